/*
 * Judges exchanges by the validators of the contract. Which requests are not judged, and why: `routeOf` in
 * `../request-head.ts`.
 */
import type { Profile } from '../../../../openapi/contract/profile.ts';
import type { AnswerView, RequestView } from '../../../../openapi/reading/messages.ts';
import type { FoundViolation } from '../exchange.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeRequest } from './judge-request.ts';
import { createRules, type Rules, treeParameter } from './rules.ts';

type Verdict = readonly FoundViolation[];

// The name of the tree parameter may be learned between two requests.
function isSettled({ operation }: RequestView): boolean {
  return !operation.parameters.some(({ name, in: place }) => place === 'query' && name === treeParameter);
}

/** Reports how requests and responses break the contract. */
export class Judge {
  readonly rules: Rules;
  readonly #requests = new WeakMap<RequestView, Verdict>();
  /** The latest response to each. */
  readonly #answers = new WeakMap<RequestView, { answer: AnswerView; found: Verdict }>();

  /** Without a profile only what is stated is judged. `seenTreeParameter`: the name of the parameter, if seen. */
  constructor(profile: Profile | undefined, seenTreeParameter: () => string | undefined) {
    this.rules = createRules(profile, seenTreeParameter);
  }

  /** The violations of a request. Cached by view, so the view must not be changed. */
  request(view: RequestView): Verdict {
    const known = this.#requests.get(view);
    if (known !== undefined) return known;
    const found = judgeRequest(view, this.rules);
    if (isSettled(view)) this.#requests.set(view, found);
    return found;
  }

  /** The violations of a response. Cached in the same way. */
  answer(request: RequestView, answer: AnswerView): Verdict {
    const latest = this.#answers.get(request);
    if (latest?.answer === answer) return latest.found;
    const found = judgeAnswer(request, answer, this.rules);
    if (isSettled(request)) this.#answers.set(request, { answer, found });
    return found;
  }
}
