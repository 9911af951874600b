import { useEffect, useRef } from 'preact/hooks';
import { type Severity, severities } from '../../../openapi/points/open-point.ts';
import { createAction } from '../shared/action.tsx';
import { Button } from '../shared/button.tsx';
import { Missing } from '../shared/detail.tsx';
import { DialogButton } from '../shared/dialog.tsx';
import { FindField, Narrow } from '../shared/form.tsx';
import { useShortcuts } from '../shared/keys.ts';
import { LiveMark } from '../shared/live-mark.tsx';
import { Empty, Prose, Tag } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { Undo, undoneCount } from '../shared/undo.tsx';
import { linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { useContract } from '../try/contract.ts';
import { isListed, type Point, resolved, titleOf, whyFixed } from './choices.ts';
import { changeProfile, pointStore, points, withOwnProfile } from './in-use.ts';
import { PointDetail } from './point-detail.tsx';
import { DrawForm, ExportForm, LoadButton } from './profiles.tsx';

/** The open points, and the choices that the mock uses. */
export function PointsView() {
  const { selected } = place.value;
  useEffect(pointStore.follow, []);
  useContract();
  useEffect(() => void pointStore.refresh(), [chosenSandbox.value?.id, undoneCount.value]);
  useSteps();
  return (
    <div class="view">
      <Toolbar />
      <Scope />
      <div class="panes">
        <div class="list">
          <List />
        </div>
        {selected !== '' && <Selected key={selected} id={selected} />}
      </div>
    </div>
  );
}

/** Keys that select the next and the previous open point, as in a table. */
function useSteps(): void {
  const step = (by: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('.list [data-id]')].filter((link) =>
      link.checkVisibility(),
    );
    const at = links.findIndex(({ dataset }) => dataset.id === place.value.selected);
    const next = links[Math.max(0, Math.min(at + by, links.length - 1))];
    next?.scrollIntoView({ block: 'nearest' });
    next?.focus({ preventScroll: true });
    next?.click();
  };
  useShortcuts([
    { keys: 'j', does: 'Next in the list', run: () => step(1) },
    { keys: 'k', does: 'Previous in the list', run: () => step(-1) },
  ]);
}

const { run, Problem } = createAction();

function Toolbar() {
  const all = points.value ?? [];
  const count = (isCounted: (point: Point) => boolean) => all.filter(isCounted).length;
  const toReset = all.filter((point) => !point.isDefault && whyFixed(point) === undefined);
  const defaults = Object.fromEntries(toReset.map((point) => [point.id, point.default]));
  return (
    <div class="toolbar">
      <FindField placeholder="status, createDrive, 4.4 …" />
      <Narrow
        name="only"
        label="Show only"
        options={[
          ['', `All ${all.length}`],
          ['changed', `${count(({ isDefault }) => !isDefault)} changed`],
          ['visible', `${count(({ impact }) => impact === 'visible')} visible to a client`],
          ['hidden', `${count(({ impact }) => impact === 'hidden')} hidden from a client`],
        ]}
      />
      <DialogButton label="Draw a profile">{(close) => <DrawForm onDone={close} />}</DialogButton>
      <LoadButton />
      <DialogButton label="Export" title="Export the profile" children={() => <ExportForm />} />
      <Button
        label="Reset to the defaults"
        disabled={toReset.length === 0}
        onClick={() => run(() => changeProfile('Reset to the defaults', defaults))}
      />
      <Undo />
      <LiveMark of={pointStore} />
      <Problem lead="Not changed." />
    </div>
  );
}

const mostNamed = 5;

/** Whose choices these are, and whom a change affects. */
function Scope() {
  const sandbox = chosenSandbox.value;
  const others = withOwnProfile.value;
  if (sandbox === undefined)
    return (
      <p class="scope">
        The specification leaves these points open, so servers may differ. The choices apply to{' '}
        <strong>all sandboxes</strong>
        {others.length > 0 && ' except those with their own profile: '}
        {others.slice(0, mostNamed).map(({ id, name }, at) => (
          <span key={id}>
            {at > 0 && ', '}
            <a href={linkTo('points', place.value.selected, { sandbox: id })}>{name}</a>
          </span>
        ))}
        {others.length > mostNamed && ` and ${others.length - mostNamed} more`}. Choose a sandbox at the top to change
        only that one.
      </p>
    );
  if (!sandbox.hasOwnProfile)
    return (
      <p class="scope">
        <strong>{sandbox.name}</strong> uses the shared profile. Your first change here gives it its own profile.
      </p>
    );
  return (
    <p class="scope">
      <strong>{sandbox.name}</strong> has its own profile. Changes for all sandboxes do not affect it.{' '}
      <Button
        label="Remove this sandbox's profile"
        class="link"
        onClick={() => run(() => changeProfile(`Remove the profile of ${sandbox.name}`, null))}
      />
    </p>
  );
}

/** The open points by what a wrong guess costs: the costly ones are open, the others folded until one searches. */
function List() {
  const all = points.value;
  if (all === undefined) return <p class="loading">Loading…</p>;
  const { query, selected } = place.value;
  const found = all.filter((point) => isListed(point, query));
  const isNarrowed = `${query.find ?? ''}${query.only ?? ''}` !== '';
  if (found.length === 0) return <NoneFound isChanged={query.only === 'changed' && !query.find} />;
  return (
    <>
      {([3, 2, 1] as const satisfies Severity[]).map((severity) => {
        const own = found.filter((point) => point.severity === severity);
        const isOpen = severity === 3 || isNarrowed || own.some(({ id }) => id === selected);
        return (
          own.length > 0 && (
            <details key={severity} class="group" open={isOpen}>
              <summary>
                A wrong guess {severities[severity]} <small>{own.length}</small>
              </summary>
              <ul>
                {own.map((point) => (
                  <Line key={point.id} point={point} all={all} isSelected={point.id === selected} />
                ))}
              </ul>
            </details>
          )
        );
      })}
    </>
  );
}

function Line({ point, all, isSelected }: { point: Point; all: readonly Point[]; isSelected: boolean }) {
  const own = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const { id, now, isDefault, impact, cost, severity } = point;
  const final = resolved(id, now, all);
  return (
    <li ref={own} class={isSelected ? 'item selected' : 'item'}>
      <a href={linkTo('points', id)} data-id={id} aria-current={isSelected ? 'true' : undefined}>
        <Prose text={titleOf(point)} />
      </a>
      <p>
        <code class="muted">{id}</code>{' '}
        <b>
          <code class="now">{now}</code>
        </b>
        {final !== now && <span class="muted"> → {final}</span>}{' '}
        {!isDefault && <Tag tone="warn">default: {point.default}</Tag>} {impact === 'hidden' && <Tag>hidden</Tag>}
      </p>
      {severity === 3 && (
        <p class="muted">
          <Prose text={cost} />
        </p>
      )}
    </li>
  );
}

function NoneFound({ isChanged }: { isChanged: boolean }) {
  return (
    <Empty title={isChanged ? 'Every open point has its default' : 'No open point matches'}>
      <p>
        {isChanged
          ? 'Change the choice for an open point, draw a profile, or load one from a file.'
          : 'The search covers ids, questions, choices, costs, operations and sections. All words must match.'}
      </p>
      <Button label="Show all open points" onClick={() => replaceQuery({ find: '', only: '' })} />
    </Empty>
  );
}

function Selected({ id }: { id: string }) {
  const all = points.value;
  const point = all?.find((each) => each.id === id);
  if (all === undefined) return null;
  if (point !== undefined) return <PointDetail point={point} points={all} />;
  const why = `This mock has no open point ${id}. It may belong to a different version.`;
  return <Missing title="There is no such open point" why={why} instead="Show all open points" />;
}
