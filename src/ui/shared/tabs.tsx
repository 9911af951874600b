import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

/** A tab; left out if it has no content. */
interface Tab {
  name: string;
  /** How many things it holds. */
  count?: number | undefined;
  content: ComponentChildren;
}

/** Tabs after the ARIA practices guide: arrows move between them. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [chosen, choose] = useState('');
  const id = useId();
  const names = tabs.map(({ name }) => name);
  const shown = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const next = names[names.indexOf(shown?.name ?? '') + by];
    if (by === 0 || next === undefined) return;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === shown?.name}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown?.name ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name} {count !== undefined && <small>{count}</small>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown?.name}`}>
        {shown?.content}
      </div>
    </>
  );
}
