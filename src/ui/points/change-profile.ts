import { signal } from '@preact/signals';
import type { Choice } from '../../../openapi/points/open-point.ts';
import type { ShownOpenPoint } from '../../workbench/admin-api/shown-open-point.ts';
import { announce } from '../shared/announce.tsx';
import { readControl } from '../shared/control.ts';
import { scopeOf } from '../shared/open-points.ts';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { offerUndo } from '../shared/undo.tsx';
import { type Choices, whyFixed } from './choices.ts';
import { followed, readInUse, whose } from './in-use.ts';
import { type InUse, type MadeChange, takeBack } from './take-back.ts';

/** The latest choices that the mock has not confirmed yet, by {@link keyOf}. */
export const pending = signal<ReadonlyMap<string, { value: Choice }>>(new Map());

/** Why the latest choice at an open point was refused, by {@link keyOf}. */
export const refusals = signal<ReadonlyMap<string, string>>(new Map());

/** The key for an open point of the chosen sandbox: other sandboxes have different states. */
export function keyOf(id: string): string {
  return `${id} ${chosenSandbox.value?.id ?? ''}`;
}

/** Makes one choice. An error response goes to {@link refusals}. */
export async function choose(id: string, value: Choice): Promise<void> {
  const key = keyOf(id);
  const mine = { value };
  pending.value = new Map(pending.value).set(key, mine);
  refusals.value = without(refusals.value, key);
  try {
    await changeProfile(`Set ${id} to ${value}`, { [id]: value });
    announce(`${id} is now ${value}.`);
  } catch (error) {
    refusals.value = new Map(refusals.value).set(key, (error as Error).message);
  } finally {
    // A different choice may have been made since.
    if (pending.value.get(key) === mine) pending.value = without(pending.value, key);
  }
}

function without<T>(all: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  return new Map([...all].filter(([each]) => each !== key));
}

/**
 * Changes choices of the chosen sandbox, or of all; null removes the sandbox's profile. The change can be undone in
 * one step. Throws a `ControlError` for an error response.
 */
export function changeProfile(what: string, sent: Choices | null): Promise<void> {
  const organization = chosenSandbox.value?.id;
  const named = organization === undefined ? what : `${what} for ${whose.value}`;
  return inTurn(async () => {
    const before = await readInUse(organization);
    const after = await send(organization, sent);
    offerUndo({ what: named, undo: (isForced) => inTurn(() => undo(organization, { sent, before, after }, isForced)) });
    await followed.refresh();
  });
}

async function undo(organization: string | undefined, made: MadeChange, isForced: boolean): Promise<readonly string[]> {
  const now = await readInUse(organization);
  const points = await readControl<ShownOpenPoint[]>(`/open-points${scopeOf(organization)}`);
  const fixed = new Set(points.filter((point) => whyFixed(point) !== undefined).map(({ id }) => id));
  const back = takeBack(made, now, fixed);
  if (back.conflicts.length > 0 && !isForced) return back.conflicts;
  if (back.send !== undefined) await send(organization, back.send);
  await followed.refresh();
  return [];
}

function send(organization: string | undefined, profile: Choices | null): Promise<InUse> {
  return readControl<InUse>(`/settings${scopeOf(organization)}`, { method: 'PATCH', body: { profile } });
}

let last: Promise<unknown> = Promise.resolve();

// Each change must see the result of the one before it.
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const next = last.then(act, act);
  last = next.catch(() => undefined);
  return next;
}
