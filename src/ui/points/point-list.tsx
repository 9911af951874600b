import { useEffect, useRef } from 'preact/hooks';
import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { useShortcuts } from '../shared/keys.ts';
import { Prose } from '../shared/prose.tsx';
import { goTo, linkTo, place } from '../shared/url-state.ts';
import { type PointGroup, resolved, titleOf } from './choices.ts';

interface ListProps {
  groups: readonly PointGroup[];
  /** All open points. */
  points: readonly ShownOpenPoint[];
  selected: string;
}

/** The open points by subject, each with the choice in use. */
export function PointList({ groups, points, selected }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useSteps(list, selected);
  return (
    <div class="point-list" ref={list}>
      {groups.map(({ name, points: grouped }) => (
        <section key={name} aria-label={name}>
          <h3>
            {name} <small>{grouped.length}</small>
          </h3>
          <ul>
            {grouped.map((point) => (
              <li key={point.id} class={point.isDefault ? undefined : 'changed'}>
                <PointLine point={point} points={points} isSelected={point.id === selected} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface LineProps {
  point: ShownOpenPoint;
  points: readonly ShownOpenPoint[];
  isSelected: boolean;
}

function PointLine({ point, points, isSelected }: LineProps) {
  const { id, now, isDefault, impact } = point;
  const applied = resolved(id, now, points);
  return (
    <>
      <a href={linkTo('points', id)} data-id={id} aria-current={isSelected ? 'true' : undefined}>
        <Prose text={titleOf(point)} />
      </a>
      <p class="row">
        <code class="id">{id}</code>
        <span class="muted">is</span>
        <span>
          <code class="now">{now}</code>
          {applied !== now && <span class="muted">, so {applied}</span>}
        </span>
        {!isDefault && <span class="tag warn">default: {point.default}</span>}
        {impact === 'hidden' && <span class="tag plain">hidden</span>}
      </p>
    </>
  );
}

/** Keys that move between points. Keeps the selected point in view, and focuses a point after it was closed. */
function useSteps(list: { current: HTMLDivElement | null }, selected: string): void {
  const last = useRef('');
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[data-id]') ?? [])];
  const step = (by: number) => {
    const all = links();
    const at = all.findIndex(({ dataset }) => dataset.id === place.value.selected);
    const next = all[Math.max(0, Math.min(at + by, all.length - 1))];
    if (next?.dataset.id !== undefined) goTo('points', next.dataset.id);
  };
  useShortcuts([
    { keys: 'j', does: 'Next open point', run: () => step(1) },
    { keys: 'k', does: 'Previous open point', run: () => step(-1) },
  ]);
  useEffect(() => {
    const shownNow = links().find(({ dataset }) => dataset.id === (selected || last.current));
    shownNow?.closest('li')?.scrollIntoView({ block: 'nearest' });
    if (selected === '') shownNow?.focus();
    last.current = selected;
  }, [selected]);
}
