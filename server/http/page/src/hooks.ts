/** Hooks that several views use. */
import { useEffect, useRef, useState } from 'preact/hooks';

/** The current time, updated every second while `live`. */
export function useNow(live: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!live) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [live]);
  return now;
}

/** Whether the width of the page is that of a phone. */
export function useNarrow(): boolean {
  const query = '(max-width: 859px)';
  const [narrow, setNarrow] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setNarrow(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, []);
  return narrow;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Actions by key, unless the person is typing or a dialog is open. */
export function useKeys(actions: Record<string, (event: KeyboardEvent) => void>): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const typing = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
      if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
