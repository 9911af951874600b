import { useEffect } from 'preact/hooks';
import { useShortcuts } from '../shared/keys.ts';
import { NeedsControl } from '../shared/needs-control.tsx';
import { Empty } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { undoneCount } from '../shared/undo.tsx';
import { goTo, linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { contractError, loadContract, operations } from '../try/contract.ts';
import { groupsOf, isListed, type PointFilter } from './choices.ts';
import { followed, shown } from './in-use.ts';
import { PointDetail } from './point-detail.tsx';
import { PointList } from './point-list.tsx';
import { PointsToolbar } from './toolbar.tsx';

/** The open points, and the choices that the mock uses. */
export function PointsView() {
  return (
    <NeedsControl what="Open points">
      <Points />
    </NeedsControl>
  );
}

function Points() {
  const { selected } = place.value;
  useEffect(() => followed.follow(), []);
  useEffect(() => void loadContract(''), []);
  useEffect(() => void followed.refresh(), [chosenSandbox.value?.id, undoneCount.value]);
  useShortcuts([{ keys: 'Escape', does: 'Close the open point', run: () => goTo('points') }]);
  return (
    <div class={selected === '' ? 'open-points' : 'open-points has-detail'}>
      <PointsToolbar />
      <div class="panes">
        <Listed />
        {selected !== '' && <Selected id={selected} />}
      </div>
    </div>
  );
}

/** The filter in the address. */
function filterNow(): PointFilter {
  const { find = '', impact = '', changed } = place.value.query;
  return { find, impact, isChangedOnly: changed !== undefined };
}

function Listed() {
  const points = shown.value?.points;
  const isGrouped = operations.value.length > 0 || contractError.value !== '';
  if (points === undefined || !isGrouped) return <p class="loading">Loading…</p>;
  const found = points.filter((point) => isListed(point, filterNow()));
  if (found.length === 0) return <NothingListed />;
  return <PointList groups={groupsOf(found, operations.value)} points={points} selected={place.value.selected} />;
}

function NothingListed() {
  const { find, impact, isChangedOnly } = filterNow();
  const showAll = () => replaceQuery({ find: '', impact: '', changed: '' });
  if (isChangedOnly && find + impact === '')
    return (
      <Empty title="Every open point has its default">
        <p>Choose something else at an open point, draw a profile, or load one from a file.</p>
        <button type="button" onClick={showAll}>
          Show all open points
        </button>
      </Empty>
    );
  return (
    <Empty title="No open point matches">
      <p>The search covers ids, questions, choices, operations and sections. All words must match.</p>
      <button type="button" onClick={showAll}>
        Show all open points
      </button>
    </Empty>
  );
}

function Selected({ id }: { id: string }) {
  const points = shown.value?.points;
  if (points === undefined) return null;
  const point = points.find((each) => each.id === id);
  if (point !== undefined) return <PointDetail key={id} point={point} points={points} />;
  return (
    <section class="detail" aria-label={id}>
      <Empty title="There is no such open point">
        <p>
          This mock has no open point <code>{id}</code>. It may belong to a different version.
        </p>
        <a href={linkTo('points')}>Show all open points</a>
      </Empty>
    </section>
  );
}
