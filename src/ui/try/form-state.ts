import { computed, signal } from '@preact/signals';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { announce } from '../shared/announce.tsx';
import { keptSignal } from '../shared/kept.ts';
import { readProblem } from '../shared/problem.ts';
import type { Field } from './fields.ts';
import type { TryRequest } from './request.ts';

type Values = Readonly<Record<string, string>>;

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

const forms = new Map<string, FormState>();

const keptPlace = 'agent-platform-try';

/** Path parameters. All operations share them, so that a drive that is chosen for one is chosen for all. */
const inPath = keptSignal<Values>(`${keptPlace}-path`, {});

/** The form of one operation, initially empty. Its input is kept until the tab is closed. */
export type FormState = ReturnType<typeof createForm>;

function createForm({ operationId, segments }: Operation) {
  const kept = <T>(name: string, initial: T) => keptSignal(`${keptPlace}-${operationId}-${name}`, initial);
  const own = kept<Values>('own', {});
  const names = segments.flatMap((segment) => ('parameter' in segment ? [`path.${segment.parameter}`] : []));
  const shared = () => Object.fromEntries(names.map((name) => [name, inPath.value[name] ?? '']));
  return {
    /** By the key of the field: those of the operation alone, and the path parameters that it shares. */
    values: computed((): Values => ({ ...own.value, ...shared() })),
    own,
    /** The body as typed; undefined while it is built from the fields. */
    rawBody: kept<string | undefined>('body', undefined),
    /** The preference that forces a response: empty for none, or {@link otherStatus}. */
    forced: kept('forced', ''),
    /** The status if the contract does not name it. */
    status: kept('status', '503'),
    /** The delay of the response in ms; empty for none. */
    delayMs: kept('delay', ''),
    /** Cancels the request that runs; undefined if none does. */
    running: signal<AbortController | undefined>(undefined),
    /** For how many seconds it has run; undefined while it would only flicker. */
    waitedSeconds: signal<number | undefined>(undefined),
    answer: signal<TryAnswer | undefined>(undefined),
    /** Whether to say which path parameters are missing: somebody tried to send without them. */
    showsMissing: signal(false),
  };
}

/** The form of an operation; the same each time. */
export function formOf(operation: Operation): FormState {
  const form = forms.get(operation.operationId) ?? createForm(operation);
  forms.set(operation.operationId, form);
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
export function fill({ own }: FormState, added: Values): void {
  const all = Object.entries(added);
  const [shared, alone] = [true, false].map((isShared) =>
    Object.fromEntries(all.filter(([key]) => key.startsWith('path.') === isShared)),
  );
  inPath.value = { ...inPath.peek(), ...shared };
  own.value = { ...own.peek(), ...alone };
}

// Ids that the page filled in: they are replaced when they are gone, typed ones are not.
const filledIn = new Map<string, string>();

/** Fills in an id that exists; empty to take it back. */
export function fillIn(form: FormState, key: string, id: string): void {
  filledIn.set(key, id);
  fill(form, { [key]: id });
}

/** Whether the page filled in the id that a field holds. */
export function isFilledIn(form: FormState, key: string): boolean {
  const value = form.values.peek()[key] ?? '';
  return value !== '' && filledIn.get(key) === value;
}

/** Whether a path has no value for this field, so that the request would be a different one. */
export function isMissing({ values }: FormState, { key, place }: Pick<Field, 'key' | 'place'>): boolean {
  return place === 'path' && (values.value[key] ?? '') === '';
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
