import type { Session } from '../session.ts';
import { noKey } from '../target/credentials.ts';
import { member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Observer, Seen } from './observer.ts';

/** What refusals look like: all those of the run, and at least one for a missing key. */
export const refusalObservers: readonly Observer[] = [
  {
    openPoint: 'errorBody',
    phase: 'judge',
    see: async (session) => {
      const first = await refusedForKey(session);
      return seeErrorBody([first, ...session.replies].filter(({ status }) => status >= 400 && status < 500));
    },
  },
  {
    openPoint: 'wwwAuthenticate',
    phase: 'judge',
    see: async (session) => {
      await refusedForKey(session);
      return seeChallenge(session.replies.filter(({ status }) => status === 401));
    },
  },
];

/** A request without a key, sent once in a run. */
export function refusedForKey(session: Session): Promise<Reply> {
  return session.once('refused for its key', () => session.call('listAgents', { credentials: noKey }));
}

function seeErrorBody(refusals: readonly Reply[]): Seen {
  const byShape = Map.groupBy(refusals, shapeOf);
  const [first, second] = [...byShape].map(([shape, [refusal]]) => ({ shape, refusal }));
  if (first === undefined) return undefined;
  if (second !== undefined) return { other: `${inShort(first.refusal)}, and ${inShort(second.refusal)}` };
  return first.shape ?? { other: inShort(first.refusal) };
}

function shapeOf({ hasBody, headers, json, isJson }: Reply): string | undefined {
  if (!hasBody) return 'empty';
  if (!isJson) return undefined;
  if (/^application\/problem\+json/i.test(headers['content-type'] ?? '')) return 'problem';
  const [list] = asArray(member(json, 'errors'));
  if (isOnly(json, 'errors') && isMessage(list, ['code', 'message'])) return 'list';
  if (isOnly(json, 'error') && isMessage(member(json, 'error'), ['code', 'message'])) return 'nested';
  return isOnly(json, 'message') && isMessage(json, ['message']) ? 'message' : undefined;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOnly(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === name;
}

function isMessage(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof member(value, name) === 'string');
}

function inShort(refusal: Reply | undefined): string {
  return `${refusal?.status} ${refusal?.text === '' ? 'without a body' : (refusal?.text ?? 'with bytes that are no text')}`;
}

function seeChallenge(refusals: readonly Reply[]): Seen {
  if (refusals.length === 0) return undefined;
  const challenges = new Set(refusals.map(({ headers }) => headers['www-authenticate']));
  if ([...challenges].every((challenge) => challenge === undefined)) return 'absent';
  if ([...challenges].every((challenge) => /^bearer\b/i.test(challenge ?? ''))) return 'sent';
  return { other: [...challenges].map((challenge) => challenge ?? 'none').join(', and ') };
}
