import { useSignal } from '@preact/signals';
import { type Choice, type ChoiceRange, severities } from '../../../openapi/points/open-point.ts';
import type { ShownChoice } from '../../app/admin-api/shown-open-point.ts';
import { useAction } from '../shared/action.tsx';
import { Button } from '../shared/button.tsx';
import { Detail } from '../shared/detail.tsx';
import { bound, TextField } from '../shared/form.tsx';
import { Facts, Links, Notice, Prose, Tag } from '../shared/parts.tsx';
import { chooseSandbox, chosenSandbox } from '../shared/sandboxes.ts';
import { linkTo } from '../shared/url-state.ts';
import { operations } from '../try/contract.ts';
import { type Point, rangeWords, resolved, sectionsOf, titleOf, typedChoice, whyFixed } from './choices.ts';
import { changeProfile, whose } from './in-use.ts';

interface DetailProps {
  point: Point;
  points: readonly Point[];
}

/** One open point in full: its choices, what is unspecified, what a wrong guess costs, and where that shows. */
export function PointDetail({ point, points }: DetailProps) {
  const { id, open, cost, question, severity, impact, isDefault } = point;
  const title = titleOf(point);
  const isAll = point.operations.length > 1 && point.operations.length === operations.value.length;
  return (
    <Detail label={id} title={<Prose text={title} />}>
      <p class="row">
        <code>{id}</code>
        <span class="muted">
          <strong>{impact}</strong>
          {impact === 'hidden' ? ': a correct client never notices the choice' : ': a client may notice the choice'}
        </span>
        {/* It keeps its room, so that the choices stay under the pointer. */}
        <span style={{ visibility: isDefault ? 'hidden' : 'visible' }}>
          <Tag tone="warn">not the default</Tag>
        </span>
      </p>
      <Choices key={chosenSandbox.value?.id} point={point} points={points} />
      <h4>A wrong guess {severities[severity]}</h4>
      <p>
        <Prose text={cost} />
      </p>
      <h4>What is open</h4>
      {open !== title && (
        <p>
          <Prose text={open} />
        </p>
      )}
      {question !== title && <p class="muted">{question}</p>}
      <Facts
        of={{
          'Left open by': `${sectionsOf(point).join(', ')} of the specification`,
          Operations: isAll ? 'all' : <Links view="try" ids={point.operations} />,
        }}
      />
      <p>
        <a href={linkTo('traffic', '', { point: id })}>Show the requests it affected in Traffic</a>
      </p>
    </Detail>
  );
}

/** The choices of an open point. A change takes effect immediately; if refused, the switch reverts and shows why. */
function Choices({ point, points }: DetailProps) {
  const { id, now, range, choices, withoutEffect } = point;
  const fixed = whyFixed(point);
  // The latest choice that the mock has not confirmed yet.
  const pending = useSignal<{ value: Choice } | undefined>(undefined);
  const { run, Problem } = useAction();
  const choose = async (value: Choice) => {
    const mine = { value };
    pending.value = mine;
    await run(() => changeProfile(`Set ${id} to ${value}`, { [id]: value }));
    if (pending.value === mine) pending.value = undefined;
  };
  const applied = pending.value?.value ?? now;
  const unlisted = [...new Set([now, applied])].filter((value) => choices.every((choice) => choice.value !== value));
  const all = [...choices, ...unlisted.map((value) => ({ value, means: 'a legal choice that is not listed' }))];
  return (
    <fieldset class="choices">
      <legend>Choice for {whose.value}, applied immediately</legend>
      {fixed !== undefined && (
        <Notice kind="note">
          {fixed}{' '}
          {chosenSandbox.value !== undefined && (
            <Button label="Show it for all sandboxes" class="link" onClick={() => chooseSandbox('')} />
          )}
        </Notice>
      )}
      {withoutEffect !== undefined && (
        <Notice kind="note">
          {id} {withoutEffect}.
        </Notice>
      )}
      {all.map((choice) => (
        <OneChoice
          key={choice.value}
          {...{ choice, point, points, choose, isChosen: choice.value === applied, isReasonGiven: fixed !== undefined }}
        />
      ))}
      {range !== undefined && <OtherChoice key={`${now}`} {...{ point, range, choose }} />}
      <Problem lead="Not changed." />
    </fieldset>
  );
}

interface OneProps extends DetailProps {
  choice: ShownChoice;
  choose(value: Choice): unknown;
  isChosen: boolean;
  /** Whether the reason is already shown. */
  isReasonGiven: boolean;
}

function OneChoice({ choice, point, points, choose, isChosen, isReasonGiven }: OneProps) {
  const { value, means, refused } = choice;
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
        onChange={() => void choose(value)}
      />
      <span>
        <code>{value}</code> {followed !== value && <span class="muted">→ {followed} </span>}
        {value === point.default && <Tag>default</Tag>} <span class="muted">{means}</span>
        {isRefused && !isReasonGiven && <span class="warn">{` ${value} ${refused}.`}</span>}
      </span>
    </label>
  );
}

/** A field for a legal choice that is not listed. */
function OtherChoice({ point, range, choose }: Pick<OneProps, 'point' | 'choose'> & { range: ChoiceRange }) {
  const isListed = point.choices.some(({ value }) => value === point.now);
  const text = useSignal(isListed ? '' : String(point.now));
  return (
    <form
      class="row"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void choose(typedChoice(range, text.value));
      }}
    >
      <TextField
        label={range.type === 'integer' ? 'Other number' : 'Other text'}
        about={rangeWords(range)}
        isNumber={range.type === 'integer'}
        {...bound(text)}
      />
      <Button label="Set" type="submit" disabled={text.value === ''} />
    </form>
  );
}
