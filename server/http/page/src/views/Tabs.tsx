/** Tabs (WAI-ARIA Authoring Practices, tabs with automatic activation). */

export interface Tab {
  name: string;
  label: string;
}

export function Tabs({ tabs, current, onSelect }: { tabs: readonly Tab[]; current: string; onSelect: (name: string) => void }) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ name }) => name === current);
    const next = (at + step + tabs.length) % tabs.length;
    onSelect(tabs[next]?.name ?? current);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the run" onKeyDown={move}>
      {tabs.map(({ name, label }) => (
        <button key={name} role="tab" aria-selected={name === current} tabIndex={name === current ? 0 : -1} onClick={() => onSelect(name)}>
          {label}
        </button>
      ))}
    </div>
  );
}
