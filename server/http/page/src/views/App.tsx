/** The frame of all views: header, keys, and the view of the address. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api, whenUnauthorized } from '../api.ts';
import { useKeys } from '../hooks.ts';
import { fragmentOf, parseRoute, type Route } from '../route.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { NoSession } from './NoSession.tsx';
import { RunPage } from './RunPage.tsx';
import { RunsPage } from './RunsPage.tsx';
import { SubmitPage } from './SubmitPage.tsx';

export function App() {
  const [route, setRoute] = useState<Route>(() => parseRoute(location.hash));
  const [hasSession, setHasSession] = useState(true);
  const [showsKeys, setShowsKeys] = useState(false);
  useEffect(() => {
    const update = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', update);
    whenUnauthorized(() => setHasSession(false));
    return () => removeEventListener('hashchange', update);
  }, []);
  useKeys({
    '?': () => setShowsKeys(true),
    u: () => (location.hash = fragmentOf({ view: 'runs' })),
    n: () => (location.hash = fragmentOf({ view: 'submit' })),
  });
  const logOut = () => void api.closeSession().then(() => setHasSession(false), () => undefined);
  return (
    <Frame onKeys={() => setShowsKeys(true)} onLogOut={hasSession ? logOut : undefined} route={route}>
      {hasSession ? <View route={route} /> : <NoSession onSession={() => setHasSession(true)} />}
      {showsKeys && <KeysDialog onClose={() => setShowsKeys(false)} />}
    </Frame>
  );
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case 'runs':
      return <RunsPage />;
    case 'submit':
      return <SubmitPage />;
    case 'run':
      return <RunPage key={route.id} id={route.id} node={route.node} graph={route.graph} />;
  }
}

interface FrameProps {
  children: ComponentChildren;
  onKeys: () => void;
  onLogOut: (() => void) | undefined;
  route: Route;
}

function Frame({ children, onKeys, onLogOut, route }: FrameProps) {
  const link = (to: Route, text: string) => (
    <a href={fragmentOf(to)} aria-current={route.view === to.view ? 'page' : undefined}>
      {text}
    </a>
  );
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="#/" aria-label="Attractor">
          <img src="/page/icon.svg" alt="" width="20" height="20" />
          Attractor
        </a>
        <nav aria-label="Views">
          {link({ view: 'runs' }, 'Runs')}
          {link({ view: 'submit' }, 'New run')}
        </nav>
        {onLogOut && (
          <button class="quiet" onClick={onLogOut}>
            Log out
          </button>
        )}
        <button class="quiet" onClick={onKeys} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** The fragment is the address of the view, so the link cannot use it. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
