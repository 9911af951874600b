import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import type { Reply } from './reply.ts';

/** What came, in words. */
export function whatCame(reply: Reply): string {
  if (reply.failure !== undefined) return reply.exchange.failure?.message ?? 'no answer';
  return `status ${reply.status}`;
}

const overloaded = [429, 502, 503, 504];

/** Whether the target is too busy or too ill to be judged by this answer. */
export function isBusy(reply: Reply): boolean {
  return overloaded.includes(reply.status);
}

/** Throws unless a valid request succeeded: violated when it was refused, failed or hung while others still succeed. */
export async function expectSuccess(
  session: Session,
  reply: Reply,
  expected = 'a status from 200 to 299',
): Promise<void> {
  if (reply.isSuccess) return;
  if (isBusy(reply)) throw new Unverified('TARGET', `${requestLine(reply)} was answered with status ${reply.status}.`);
  if (reply.failure === 'tooLarge') throw new Unverified('DATA', `${requestLine(reply)}: ${whatCame(reply)}.`);
  if (reply.failure !== undefined || reply.status >= 500) await expectControl(session, reply);
  throw new Violated(expected, whatCame(reply), [reply]);
}

/** Throws `Unverified` unless another request still succeeds: then the failure is of this one, and not of the line. */
async function expectControl(session: Session, failed: Reply): Promise<void> {
  const candidates: OperationId[] = ['listAgents', 'listDrives'];
  for (const operation of candidates.filter((candidate) => candidate !== failed.sending.operation)) {
    const control = await session.call(operation);
    if (control.isSuccess) return;
  }
  throw new Unverified('TARGET', `${requestLine(failed)}: ${whatCame(failed)}; nor does any control request succeed.`);
}

/** Throws unless a request that must not be honoured was refused. */
export function expectRefusal(reply: Reply, what: string, expected = 'no success: any status but 200 to 299'): void {
  if (reply.isSuccess) throw new Violated(expected, `status ${reply.status}: ${what}`, [reply]);
  if (reply.failure !== undefined) throw new Unverified('TARGET', `${requestLine(reply)}: ${whatCame(reply)}.`);
  if (isBusy(reply)) throw new Unverified('TARGET', `${requestLine(reply)} was answered with status ${reply.status}.`);
}

/** Throws `Unverified` unless a request that something else rests on succeeded; the check that judges it is named. */
export function presume(reply: Reply, check: string): void {
  if (reply.isSuccess) return;
  if (isBusy(reply)) throw new Unverified('TARGET', `${requestLine(reply)}: ${whatCame(reply)}.`);
  throw new Unverified('PREREQUISITE', `${requestLine(reply)}: ${whatCame(reply)}. See ${check}.`);
}

export function requestLine({ exchange }: Reply): string {
  return `${exchange.request.method} ${exchange.request.url}`;
}

/** A member of an object that came as JSON; undefined when there is none. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The members of an array that came as JSON; none when it is no array. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An id of something that came as JSON, as text; undefined when it has none. */
export function idOf(value: unknown): string | undefined {
  const id = member(value, 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Asks until `isThere` holds or the time is over. The last thing that was seen, and how long it took. */
export async function poll<T>(
  limitMs: number,
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
): Promise<{ seen: T; isThere: boolean; tookMs: number }> {
  const startedMs = performance.now();
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const seen = await look();
    const tookMs = performance.now() - startedMs;
    if (isThere(seen)) return { seen, isThere: true, tookMs };
    if (tookMs >= limitMs) return { seen, isThere: false, tookMs };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
