import { type Signal, signal } from '@preact/signals';
import type { TryRequest } from './request.ts';

/** The outcome of sending. */
export interface TryAnswer {
  request: TryRequest;
  /** 0 if the connection ended without a response. */
  status: number;
  durationMs: number;
  headers: Readonly<Record<string, string>>;
  body: string;
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
  /** Whether errors in fields are shown. */
  isChecked: Signal<boolean>;
  isSending: Signal<boolean>;
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
    ...{ isChecked: signal(false), isSending: signal(false), answer: signal(undefined) },
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
