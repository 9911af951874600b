import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from '../shared/announce.tsx';
import { Freshness, FreshnessProblems } from '../shared/freshness.tsx';
import { useShortcuts } from '../shared/keys.ts';
import { Notice } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { changeProfile } from './change-profile.ts';
import { type Choices, whyFixed } from './choices.ts';
import { DrawButton } from './draw-button.tsx';
import { ExportButton } from './export-button.tsx';
import { followed, shown, withOwnProfile } from './in-use.ts';
import { LoadButton } from './load-button.tsx';

/** The actions on the whole profile, its owner, and the filter of the list. */
export function PointsToolbar() {
  return (
    <div class="toolbar">
      <div class="row">
        <UndoButton />
        <DrawButton />
        <LoadButton />
        <ExportButton />
        <ResetButton />
        <Freshness of={followed} />
      </div>
      <UndoTrouble />
      {actionError.value !== '' && <Notice kind="error">{actionError.value}</Notice>}
      <FreshnessProblems of={followed} />
      <Scope />
      <div class="row filters">
        <FindField />
        <Filters />
      </div>
    </div>
  );
}

const actionError = signal('');

async function run(what: string, sent: Choices | null): Promise<void> {
  actionError.value = '';
  try {
    await changeProfile(what, sent);
    announce(`${what}: done.`);
  } catch (error) {
    actionError.value = `Not changed. ${(error as Error).message}`;
  }
}

/** The choices that restore the defaults, where that is possible. */
function choicesToReset(): Choices {
  const changed = (shown.value?.points ?? []).filter((point) => !point.isDefault && whyFixed(point) === undefined);
  return Object.fromEntries(changed.map((point) => [point.id, point.default]));
}

function ResetButton() {
  const choices = choicesToReset();
  return (
    <button
      type="button"
      disabled={Object.keys(choices).length === 0}
      onClick={() => void run('Reset to the defaults', choices)}
    >
      Reset to the defaults
    </button>
  );
}

/** Whose choices these are, and whom a change affects. */
function Scope() {
  const sandbox = chosenSandbox.value;
  if (sandbox === undefined) return <ScopeOfAll />;
  if (shown.value?.hasOwnProfile !== true)
    return (
      <p class="scope">
        <strong>{sandbox.name}</strong> uses the shared profile. Your first change here gives it its own profile.
      </p>
    );
  return (
    <p class="scope row">
      <span>
        <strong>{sandbox.name}</strong> has its own profile. Changes for all sandboxes do not affect it.
      </span>
      <button type="button" onClick={() => void run(`Remove the profile of ${sandbox.name}`, null)}>
        Remove this sandbox's profile
      </button>
    </p>
  );
}

const mostNamed = 5;

function ScopeOfAll() {
  const others = withOwnProfile.value;
  return (
    <p class="scope">
      These choices apply to <strong>all sandboxes</strong>
      {others.length > 0 && ' except those with their own profile: '}
      {others.slice(0, mostNamed).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={linkTo('points', place.value.selected, { sandbox: id })}>{name}</a>
        </span>
      ))}
      {others.length > mostNamed && ` and ${others.length - mostNamed} more`}. Choose a sandbox at the top to change
      only that one.
    </p>
  );
}

function FindField() {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Search open points', run: () => field.current?.focus() }]);
  return (
    <label class="find">
      Find
      <input
        ref={field}
        type="search"
        value={place.value.query.find ?? ''}
        placeholder="status, createDrive, 4.4 …"
        spellcheck={false}
        onInput={({ currentTarget }) => replaceQuery({ find: currentTarget.value })}
      />
    </label>
  );
}

function Filters() {
  const points = shown.value?.points ?? [];
  const { impact = '', changed = '' } = place.value.query;
  const count = (isCounted: (point: (typeof points)[number]) => boolean) => points.filter(isCounted).length;
  return (
    <fieldset class="row">
      <legend class="unseen">Show only</legend>
      <button
        type="button"
        class="kind"
        aria-pressed={changed !== ''}
        onClick={() => replaceQuery({ changed: changed === '' ? 'yes' : '' })}
      >
        {count(({ isDefault }) => !isDefault)} changed
      </button>
      {(['visible', 'hidden'] as const).map((each) => (
        <button
          key={each}
          type="button"
          class="kind"
          aria-pressed={impact === each}
          onClick={() => replaceQuery({ impact: impact === each ? '' : each })}
        >
          {count((point) => point.impact === each)} {each}
        </button>
      ))}
      <span class="muted">of {points.length}</span>
    </fieldset>
  );
}
