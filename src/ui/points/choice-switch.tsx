import { useId } from 'preact/hooks';
import type { ShownChoice, ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { Notice } from '../shared/parts.tsx';
import { chooseSandbox, chosenSandbox } from '../shared/sandboxes.ts';
import { choose, keyOf, pending, refusals } from './change-profile.ts';
import { resolved, whyFixed } from './choices.ts';
import { whose } from './in-use.ts';
import { OtherChoice } from './other-choice.tsx';

interface SwitchProps {
  point: ShownOpenPoint;
  points: readonly ShownOpenPoint[];
}

/** The choices of an open point. A change takes effect immediately; if refused, the switch reverts and shows why. */
export function ChoiceSwitch({ point, points }: SwitchProps) {
  const { id, now, range, withoutEffect } = point;
  const fixed = whyFixed(point);
  const refusal = refusals.value.get(keyOf(id));
  return (
    <fieldset class="choices">
      <legend>Choice for {whose.value}, applied immediately</legend>
      {fixed !== undefined && <Fixed why={fixed} />}
      {withoutEffect !== undefined && (
        <Notice kind="note">
          {id} {withoutEffect}.
        </Notice>
      )}
      {choicesOf(point).map((choice) => (
        <OneChoice
          key={choice.value}
          choice={choice}
          point={point}
          points={points}
          isChosen={choice.value === (pending.value.get(keyOf(id))?.value ?? now)}
          isReasonGiven={fixed !== undefined}
        />
      ))}
      {range !== undefined && <OtherChoice key={`${now}`} point={point} range={range} />}
      {refusal !== undefined && <Notice kind="error">Not changed. {refusal}</Notice>}
    </fieldset>
  );
}

/** The listed choices, and the one in use if it is not listed. */
function choicesOf({ id, choices, now }: ShownOpenPoint): readonly ShownChoice[] {
  const applied = [now, pending.value.get(keyOf(id))?.value ?? now];
  const unlisted = [...new Set(applied)].filter((value) => choices.every((choice) => choice.value !== value));
  return [...choices, ...unlisted.map((value) => ({ value, means: 'a legal choice that is not listed' }))];
}

function Fixed({ why }: { why: string }) {
  return (
    <Notice kind="note">
      {why}{' '}
      {chosenSandbox.value !== undefined && (
        <button type="button" class="link" onClick={() => chooseSandbox('')}>
          Show it for all sandboxes
        </button>
      )}
    </Notice>
  );
}

interface OneProps {
  choice: ShownChoice;
  point: ShownOpenPoint;
  points: readonly ShownOpenPoint[];
  isChosen: boolean;
  /** Whether the reason is already shown. */
  isReasonGiven: boolean;
}

function OneChoice({ choice: { value, means, refused }, point, points, isChosen, isReasonGiven }: OneProps) {
  const about = useId();
  const isRefused = refused !== undefined && !isChosen;
  const followed = resolved(point.id, value, points);
  return (
    <label class="choice">
      <input
        type="radio"
        name={point.id}
        value={value}
        checked={isChosen}
        disabled={isRefused}
        aria-describedby={about}
        onChange={() => void choose(point.id, value)}
      />
      <span>
        <code>{value}</code> {value === point.default && <span class="tag plain">default</span>}{' '}
        <span id={about}>
          <span class="muted">
            {means}
            {followed !== value && ` (${value}, now ${followed})`}
          </span>
          {isRefused && !isReasonGiven && (
            <span class="why">
              {' '}
              {value} {refused}.
            </span>
          )}
        </span>
      </span>
    </label>
  );
}
