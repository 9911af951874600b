import { computed, signal } from '@preact/signals';
import { announce } from '../shared/announce.tsx';
import { readControl, scopeOf } from '../shared/control.ts';
import { chosenSandbox, loadSandboxes, sandboxes } from '../shared/sandboxes.ts';
import { createStore } from '../shared/store.ts';
import { inTurn, offerUndo } from '../shared/undo.tsx';
import { shortened } from '../shared/words.ts';
import { type Choices, type Point, whyFixed } from './choices.ts';
import { type InUse, type MadeChange, takeBack } from './take-back.ts';

interface Held {
  organization: string | undefined;
  points: readonly Point[];
}

const held = signal<Held | undefined>(undefined);

/** The open points for the chosen sandbox, or for all; undefined until they are loaded. */
export const points = computed(() =>
  held.value?.organization === chosenSandbox.value?.id ? held.value?.points : undefined,
);

/** The choices in use there, and the default choices. */
export const choicesInUse = computed<Choices>(() => choicesOf(({ now }) => now));
export const defaults = computed<Choices>(() => choicesOf((point) => point.default));

function choicesOf(choiceOf: (point: Point) => string | number): Choices {
  return Object.fromEntries((points.value ?? []).map((point) => [point.id, choiceOf(point)]));
}

/** Whose choices are shown, in words. */
export const whose = computed(() =>
  chosenSandbox.value === undefined ? 'all sandboxes' : shortened(chosenSandbox.value.name),
);

/** The other sandboxes, which a change for all leaves alone. */
export const withOwnProfile = computed(() => sandboxes.value.filter(({ hasOwnProfile }) => hasOwnProfile));

/** The open points of the chosen sandbox, loaded again when anybody changes something through the admin API. */
export const pointStore = createStore({ load, isChange: ({ name }) => name === 'change' });

let changes = 0;

async function load(): Promise<void> {
  const organization = chosenSandbox.value?.id;
  const changesBefore = changes;
  const [loaded] = await Promise.all([readControl<Point[]>(`/open-points${scopeOf(organization)}`), loadSandboxes()]);
  // What was asked for before a change may show what was there before it.
  if (changes > changesBefore) return load();
  held.value = { organization, points: loaded };
}

/**
 * Changes choices of the chosen sandbox, or of all; null removes the sandbox's profile. The change can be undone in
 * one step. Throws a `ControlError` for an error response.
 */
export async function changeProfile(what: string, sent: Choices | null): Promise<void> {
  const { id: organization, hasOwnProfile } = chosenSandbox.value ?? {};
  const named = organization === undefined ? what : `${what} for ${whose.value}`;
  await inTurn(async () => {
    const known: InUse = {
      profile: choicesInUse.value,
      // As it is now: changes before this one may have given it a profile.
      ...(hasOwnProfile !== undefined && { hasOwnProfile: withOwnProfile.value.some(({ id }) => id === organization) }),
    };
    // While it waited for its turn, somebody may have turned to another sandbox.
    const isKnown = points.value !== undefined && chosenSandbox.value?.id === organization;
    const before = isKnown ? known : await readControl<InUse>(`/settings${scopeOf(organization)}`);
    const after = await send(organization, sent);
    offerUndo({
      ...{ view: 'points', what: named },
      undo: (isForced) => undo(organization, { sent, before, after }, isForced),
    });
  });
  announce(`${named}: done.`);
}

async function undo(organization: string | undefined, made: MadeChange, isForced: boolean): Promise<readonly string[]> {
  const now = await readControl<InUse>(`/settings${scopeOf(organization)}`);
  const fixed = new Set((points.value ?? []).filter((point) => whyFixed(point) !== undefined).map(({ id }) => id));
  const back = takeBack(made, now, fixed);
  if (back.conflicts.length > 0 && !isForced) return back.conflicts;
  if (back.send !== undefined) await send(organization, back.send);
  return [];
}

/** Sends a change, and shows what the mock uses now: the event that tells of the change comes a moment later. */
async function send(organization: string | undefined, profile: Choices | null): Promise<InUse> {
  const after = await readControl<InUse>(`/settings${scopeOf(organization)}`, { method: 'PATCH', body: { profile } });
  changes++;
  const shown = held.value;
  if (shown?.organization === organization)
    held.value = {
      organization,
      points: (shown?.points ?? []).map((point) => {
        const now = after.profile[point.id] ?? point.now;
        return { ...point, now, isDefault: now === point.default };
      }),
    };
  sandboxes.value = sandboxes.value.map((one) =>
    one.id === organization ? { ...one, hasOwnProfile: after.hasOwnProfile === true } : one,
  );
  return after;
}
