import type { AnswerView, Body } from '../../../openapi/reading/messages.ts';

// Those by which a contract or an open point can be told. What says when, or which request it was, differs in each answer.
const telling = /^(?:content-type|www-authenticate)$|rate-?limit/;

const mostOfOneBody = 20;

/** Answers as they are judged. The same one for the same answer, as long as its body is known. */
export class AnswerViews {
  readonly #views = new WeakMap<Body, Map<string, AnswerView>>();

  of(status: number, headers: Readonly<Record<string, string>>, body: Body): AnswerView {
    const told = Object.entries(headers).filter(([name]) => telling.test(name));
    const known = this.#views.get(body) ?? new Map<string, AnswerView>();
    if (known.size >= mostOfOneBody) known.clear();
    const key = JSON.stringify([status, told]);
    const view = known.get(key) ?? { status, headers: Object.fromEntries(told), body };
    this.#views.set(body, known.set(key, view));
    return view;
  }
}
