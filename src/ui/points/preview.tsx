import { useSignal } from '@preact/signals';
import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { plural } from '../reports/facts.tsx';
import { Notice } from '../shared/parts.tsx';
import { changeProfile } from './change-profile.ts';
import { type Choices, refusalOf, whyFixed } from './choices.ts';
import { shown, whose } from './in-use.ts';

interface PreviewProps {
  /** A whole profile. */
  profile: Choices;
  /** What is done, in words: `Load my.yaml`. */
  what: string;
  onDone(): void;
}

/** What a profile would change, and the button that applies it. */
export function Preview({ profile, what, onDone }: PreviewProps) {
  const error = useSignal('');
  const rows = rowsOf(shown.value?.points ?? [], profile);
  const changing = rows.filter(({ refusal }) => refusal === undefined);
  const apply = () =>
    changeProfile(what, Object.fromEntries(changing.map(({ point, then }) => [point.id, then]))).then(
      onDone,
      (problem: Error) => {
        error.value = problem.message;
      },
    );
  return (
    <div class="preview">
      {rows.length === 0 ? <p>Nothing would change: these choices are already in use.</p> : <Rows rows={rows} />}
      {error.value !== '' && <Notice kind="error">Nothing was changed. {error.value}</Notice>}
      <div class="row">
        <button type="button" class="primary" disabled={changing.length === 0} onClick={() => void apply()}>
          Change {plural(changing.length, 'choice')} for {whose.value}
        </button>
        <span class="muted">Undo reverts it in one step.</span>
      </div>
    </div>
  );
}

interface Row {
  point: ShownOpenPoint;
  then: string | number;
  /** Why it cannot change. */
  refusal: string | undefined;
}

function rowsOf(points: readonly ShownOpenPoint[], profile: Choices): Row[] {
  return points.flatMap((point) => {
    const then = profile[point.id] ?? point.default;
    return then === point.now ? [] : [{ point, then, refusal: whyFixed(point) ?? refusalOf(point, then) }];
  });
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="preview-rows" tabIndex={0} aria-label="What would change">
      <table>
        <thead>
          <tr>
            <th>Open point</th>
            <th>Now</th>
            <th>Then</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ point, then, refusal }) => (
            <tr key={point.id}>
              <th scope="row">
                <code>{point.id}</code> {point.impact === 'hidden' && <span class="tag plain">hidden</span>}
              </th>
              <td>
                <code>{point.now}</code>
              </td>
              <td>
                {refusal === undefined ? <code>{then}</code> : <span class="why">stays as it is. {refusal}</span>}{' '}
                {refusal === undefined && then === point.default && <span class="tag plain">default</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
