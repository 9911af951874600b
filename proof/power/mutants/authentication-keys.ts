import type { Call } from '../../../src/engine/call.ts';
import type { Engine, Mutant } from '../mutant.ts';
import { operations } from './operations.ts';
import { onCallsOf, withKey } from './patch.ts';
import { bearerKey, headerKey, isEmptyKey, isKeyless, keyOfOtherScheme, nearKey } from './sent-keys.ts';

/** The key that a request is taken to have; undefined when the leniency does not concern it. */
type TakenFor = (engine: Engine, call: Call) => string | undefined;

const when =
  (isMeant: (call: Call) => boolean): TakenFor =>
  ({ store }, call) =>
    isMeant(call) ? store.keys[0] : undefined;

/**
 * The ways to let a request through that has no valid key, by `requirement > last part of the check: slug`: what such an
 * operation does.
 */
const leniencies: Record<string, [said: string, takenFor: TakenFor]> = {
  'auth.no-key-is-not-let-through > no-key: asks-for-no-key': [
    'lets a request without a key through, on behalf of the first organization',
    when(isKeyless),
  ],
  'auth.no-key-is-not-let-through > empty-key: takes-an-empty-key': [
    'lets a request through whose key header is there and holds nothing',
    when(isEmptyKey),
  ],
  'auth.wrong-key-is-not-let-through > wrong-header-key: takes-any-header-key': [
    'lets any text in X-API-Key through as if it were a key',
    when((call) => headerKey(call) !== undefined),
  ],
  'auth.wrong-key-is-not-let-through > wrong-bearer-key: takes-any-bearer-key': [
    'lets any bearer token through as if it were a key',
    when((call) => bearerKey(call) !== undefined),
  ],
  'auth.near-keys-are-not-let-through > near-key.shortened: takes-a-shortened-key': [
    'takes a key without its last character for the whole one',
    (engine, call) => nearKey(engine, call, (sent, key) => sent === key.slice(0, -1)),
  ],
  'auth.near-keys-are-not-let-through > near-key.extended: takes-an-extended-key': [
    'compares only as many characters as a key has, so that more may follow',
    (engine, call) => nearKey(engine, call, (sent, key) => sent.startsWith(key)),
  ],
  'auth.near-keys-are-not-let-through > near-key.others: compares-keys-without-case': [
    'compares keys without regard to case, as the collation of a column does',
    (engine, call) => nearKey(engine, call, (sent, key) => sent.toLowerCase() === key.toLowerCase()),
  ],
  'auth.near-keys-are-not-let-through > near-key.by-turns: finds-a-key-within-more-text': [
    'looks a key up within the text that was sent, which may hold more before and behind it',
    (engine, call) => nearKey(engine, call, (sent, key) => sent.includes(key)),
  ],
  'auth.other-schemes-are-not-let-through > wrong-scheme: ignores-the-scheme': [
    'takes the key from Authorization whatever the scheme before it is',
    (engine, call) => engine.store.keys.find((key) => key === keyOfOtherScheme(call)),
  ],
};

/** For each operation and each leniency one server that has it there and nowhere else. */
export const lenientKeys: readonly Mutant[] = operations.flatMap((operation) =>
  Object.entries(leniencies).map(([key, [said, takenFor]]): Mutant => {
    const [requirement = '', rule, slug] = key.split(/ > |: /);
    return {
      id: `${operation.slug}-${slug}`,
      class: 'authentication',
      place: 'engine',
      requirement,
      check: `${operation.id}.${rule}`,
      fault: `${operation.said} ${said}.`,
      break: onCallsOf(operation.id, (call, sound, engine) => {
        const taken = sound.caller(call) === undefined ? takenFor(engine, call) : undefined;
        return sound.answer(taken === undefined ? call : withKey(call, taken));
      }),
    };
  }),
);
