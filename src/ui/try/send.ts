import { announce } from '../shared/announce.tsx';
import type { FormState } from './form-state.ts';
import type { TryRequest } from './request.ts';

/** Sends a request and keeps the response, or the fact that there was none. */
export async function send(form: FormState, request: TryRequest): Promise<void> {
  form.isSending.value = true;
  const startedAtMs = performance.now();
  const { status, headers, body } = await ask(request);
  const durationMs = performance.now() - startedAtMs;
  form.answer.value = { request, status, durationMs, headers, body };
  form.isSending.value = false;
  announce(status === 0 ? 'No response.' : `${status} in ${durationMs.toFixed(0)} ms.`);
}

async function ask({ method, target, headers, body }: TryRequest) {
  try {
    const response = await fetch(target, {
      ...{ method, headers: headers.map(([name, value]) => [name, value] as [string, string]), cache: 'no-store' },
      ...(body === undefined ? {} : { body }),
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
