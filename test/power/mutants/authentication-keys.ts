import type { Call } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { operations } from './operations.ts';
import { onCallsOf, withKey } from './patch.ts';
import { bearerKey, headerKey, isEmptyKey, isKeyless, keyOfOtherScheme, nearKey } from './sent-keys.ts';

/** One way to let a request through that has no valid key. */
interface Leniency {
  slug: string;
  requirement: string;
  /** The last part of the check's id. */
  rule: string;
  /** What such an operation does. */
  said: string;
  /** The key that the request is taken to have; undefined when this leniency does not concern it. */
  takenFor(engine: Engine, call: Call): string | undefined;
}

const firstKey = (engine: Engine) => engine.store.keys[0];
const when = (isMeant: (call: Call) => boolean) => (engine: Engine, call: Call) =>
  isMeant(call) ? firstKey(engine) : undefined;

const withoutKey = { requirement: 'auth.no-key-is-not-let-through' };
const withWrongKey = { requirement: 'auth.wrong-key-is-not-let-through' };
const withNearKey = { requirement: 'auth.near-keys-are-not-let-through' };

const leniencies: readonly Leniency[] = [
  {
    slug: 'asks-for-no-key',
    ...withoutKey,
    rule: 'no-key',
    said: 'lets a request without a key through, on behalf of the first organization',
    takenFor: when(isKeyless),
  },
  {
    slug: 'takes-an-empty-key',
    ...withoutKey,
    rule: 'empty-key',
    said: 'lets a request through whose key header is there and holds nothing',
    takenFor: when(isEmptyKey),
  },
  {
    slug: 'takes-any-header-key',
    ...withWrongKey,
    rule: 'wrong-header-key',
    said: 'lets any text in X-API-Key through as if it were a key',
    takenFor: when((call) => headerKey(call) !== undefined),
  },
  {
    slug: 'takes-any-bearer-key',
    ...withWrongKey,
    rule: 'wrong-bearer-key',
    said: 'lets any bearer token through as if it were a key',
    takenFor: when((call) => bearerKey(call) !== undefined),
  },
  {
    slug: 'takes-a-shortened-key',
    ...withNearKey,
    rule: 'near-key.shortened',
    said: 'takes a key without its last character for the whole one',
    takenFor: (engine, call) => nearKey(engine, call, (sent, key) => sent === key.slice(0, -1)),
  },
  {
    slug: 'takes-an-extended-key',
    ...withNearKey,
    rule: 'near-key.extended',
    said: 'compares only as many characters as a key has, so that more may follow',
    takenFor: (engine, call) => nearKey(engine, call, (sent, key) => sent.startsWith(key)),
  },
  {
    slug: 'ignores-the-scheme',
    ...withNearKey,
    rule: 'wrong-scheme',
    said: 'takes the key from Authorization whatever the scheme before it is',
    takenFor: (engine, call) => engine.store.keys.find((key) => key === keyOfOtherScheme(call)),
  },
];

/** For each operation and each leniency one server that has it there and nowhere else. */
export const lenientKeys: readonly Mutant[] = operations.flatMap((operation) =>
  leniencies.map(
    (leniency): Mutant => ({
      id: `${operation.slug}-${leniency.slug}`,
      class: 'authentication',
      place: 'engine',
      requirement: leniency.requirement,
      check: `${operation.id}.${leniency.rule}`,
      fault: `${operation.said} ${leniency.said}.`,
      break: (engine) =>
        onCallsOf(engine, operation.id, (call, sound) => {
          const key = sound.caller(call) === undefined ? leniency.takenFor(engine, call) : undefined;
          return sound.answer(key === undefined ? call : withKey(call, key));
        }),
    }),
  ),
);
