import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ChoiceRange } from '../../../openapi/points/open-point.ts';
import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { choose } from './change-profile.ts';
import { rangeWords, readChoice, wordsIn } from './choices.ts';

interface OtherProps {
  point: ShownOpenPoint;
  range: ChoiceRange;
}

/** A field for a legal choice that is not listed. */
export function OtherChoice({ point, range }: OtherProps) {
  const error = useSignal('');
  const set = (text: string) => {
    const read = readChoice(point, text);
    error.value = 'error' in read ? read.error : '';
    if ('value' in read) void choose(point.id, read.value);
  };
  const words = wordsIn(range);
  if (words !== undefined) return <WordChoice {...words} now={String(point.now)} error={error.value} onSet={set} />;
  return <FieldChoice point={point} range={range} error={error.value} onSet={set} />;
}

interface FieldProps extends OtherProps {
  error: string;
  onSet(text: string): void;
}

function FieldChoice({ point, range, error, onSet }: FieldProps) {
  const about = useId();
  const input = useId();
  const isListed = point.choices.some(({ value }) => value === point.now);
  const text = useSignal(isListed ? '' : String(point.now));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSet(text.value);
  };
  const field = {
    ...{ id: input, value: text.value, 'aria-invalid': error !== '', 'aria-describedby': about },
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      text.value = currentTarget.value;
    },
  };
  return (
    <form class="other" noValidate onSubmit={submit}>
      <div class="row">
        <label class="check" for={input}>
          {range.type === 'integer' ? 'Other number' : 'Other text'}
          {range.type === 'integer' ? (
            <input type="number" min={range.minimum} max={range.maximum} {...field} />
          ) : (
            <input type="text" spellcheck={false} {...field} />
          )}
        </label>
        <button type="submit">Set</button>
      </div>
      <About id={about} range={range} error={error} />
    </form>
  );
}

function About({ id, range, error }: { id: string; range: ChoiceRange; error: string }) {
  return (
    <p id={id}>
      {error === '' ? (
        <span class="muted">{rangeWords(range)}</span>
      ) : (
        <span class="wrong" role="alert">
          {error}
        </span>
      )}
    </p>
  );
}

interface WordProps {
  first: string;
  rest: readonly string[];
  now: string;
  error: string;
  onSet(text: string): void;
}

/** Check boxes for a choice such as `without size status`. */
function WordChoice({ first, rest, now, error, onSet }: WordProps) {
  const [head, ...named] = now.split(' ');
  const chosen = useSignal<ReadonlySet<string>>(new Set(head === first ? named : []));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSet([first, ...rest.filter((word) => chosen.value.has(word))].join(' '));
  };
  return (
    <form class="other" onSubmit={submit}>
      <fieldset>
        <legend>Or {first} any of these</legend>
        <div class="row words">
          {rest.map((word) => (
            <Word key={word} word={word} chosen={chosen} />
          ))}
        </div>
      </fieldset>
      <button type="submit" disabled={chosen.value.size === 0}>
        Set
      </button>
      {error !== '' && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

function Word({ word, chosen }: { word: string; chosen: Signal<ReadonlySet<string>> }) {
  const toggle = () => {
    const next = new Set(chosen.value);
    if (!next.delete(word)) next.add(word);
    chosen.value = next;
  };
  return (
    <label class="check">
      <input type="checkbox" checked={chosen.value.has(word)} onChange={toggle} />
      <code>{word}</code>
    </label>
  );
}
