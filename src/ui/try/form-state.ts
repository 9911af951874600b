import { type Signal, signal } from '@preact/signals';
import { announce } from '../shared/announce.tsx';
import { readProblem } from '../shared/problem.ts';
import type { TryRequest } from './request.ts';

/** The outcome of sending. */
export interface TryAnswer {
  request: TryRequest;
  /** 0 if the connection ended without a response. */
  status: number;
  /** Whether somebody stopped waiting for it. */
  isCancelled: boolean;
  durationMs: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The values that were sent, and what the mock says is wrong with them, by the key of the field. */
  sent: Readonly<Record<string, string>>;
  wrong: ReadonlyMap<string, string>;
}

/** The form of one operation. It is kept while other views are shown. */
export interface FormState {
  values: Signal<Readonly<Record<string, string>>>;
  /** The body as typed; undefined while it is built from the fields. */
  rawBody: Signal<string | undefined>;
  /** The preference that forces a response: empty for none, or {@link otherStatus}. */
  forced: Signal<string>;
  /** The status if the contract does not name it. */
  status: Signal<string>;
  /** The delay of the response in ms; empty for none. */
  delayMs: Signal<string>;
  /** Cancels the request that runs; undefined if none does. */
  running: Signal<AbortController | undefined>;
  /** For how many seconds it has run; undefined while it would only flicker. */
  waitedSeconds: Signal<number | undefined>;
  answer: Signal<TryAnswer | undefined>;
}

const forms = new Map<string, FormState>();

/** The form of an operation, initially empty. */
export function formOf(operationId: string): FormState {
  const known = forms.get(operationId);
  if (known !== undefined) return known;
  const form: FormState = {
    ...{ values: signal({}), rawBody: signal(undefined) },
    ...{ forced: signal(''), status: signal('503'), delayMs: signal('') },
    ...{ running: signal(undefined), waitedSeconds: signal(undefined), answer: signal(undefined) },
  };
  forms.set(operationId, form);
  return form;
}

/** Stands for a typed status. */
export const otherStatus = 'other';

/** The header `Prefer` that a form sends; empty for none. */
export function preferOf({ forced, status, delayMs }: FormState): string {
  const answer = forced.value === otherStatus ? `code=${status.value}` : forced.value;
  const delay = delayMs.value === '' ? '' : `delay=${delayMs.value}`;
  return [answer, delay].filter((preference) => preference !== '').join(', ');
}

/** Fills in fields; the others stay. */
export function fill({ values }: FormState, added: Readonly<Record<string, string>>): void {
  values.value = { ...values.value, ...added };
}

/** What the mock said is wrong with a field, until somebody changes it. */
export function wrongWith({ answer, values }: FormState, key: string): string | undefined {
  const isAsSent = answer.value?.sent[key] === values.value[key];
  return isAsSent ? answer.value?.wrong.get(key) : undefined;
}

/** Sends a request and keeps the response, or the fact that there was none. */
export async function send(form: FormState, request: TryRequest): Promise<void> {
  const running = new AbortController();
  const { signal: stop } = running;
  form.running.value = running;
  const startedAtMs = performance.now();
  const stopCounting = countSeconds(form);
  const { status, headers, body } = await ask(request, stop);
  stopCounting();
  const durationMs = performance.now() - startedAtMs;
  const violations = (status < 400 ? undefined : readProblem(body))?.violations ?? [];
  const wrong = new Map(violations.map(({ place, message }) => [place, message]));
  const isCancelled = status === 0 && stop.aborted;
  form.answer.value = { request, status, isCancelled, durationMs, headers, body, wrong, sent: form.values.value };
  form.running.value = undefined;
  if (isCancelled) announce('Cancelled.');
  else announce(status === 0 ? 'No response.' : `${status} in ${durationMs.toFixed(0)} ms.`);
}

// Most responses come sooner.
const lateMs = 300;

/** Counts the seconds of a request that is late, until the returned function is called. */
function countSeconds({ waitedSeconds }: FormState): () => void {
  const late = setTimeout(() => {
    waitedSeconds.value = 0;
    announce('Waiting for the response.');
  }, lateMs);
  const each = setInterval(() => (waitedSeconds.value = (waitedSeconds.value ?? 0) + 1), 1_000);
  return () => {
    clearTimeout(late);
    clearInterval(each);
    waitedSeconds.value = undefined;
  };
}

async function ask({ method, target, headers, body }: TryRequest, stop: AbortSignal) {
  try {
    const response = await fetch(target, {
      ...{ method, headers: headers.map(([name, value]) => [name, value] as [string, string]), cache: 'no-store' },
      ...{ signal: stop, ...(body === undefined ? {} : { body }) },
    });
    const all = Object.fromEntries(response.headers);
    // A body may be cut off after its headers.
    const text = await response.text().catch(() => undefined);
    return text === undefined
      ? { status: 0, headers: all, body: '' }
      : { status: response.status, headers: all, body: text };
  } catch {
    return { status: 0, headers: {}, body: '' };
  }
}
