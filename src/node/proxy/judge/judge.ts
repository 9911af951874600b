/*
 * Prism judges parameters, keys, bodies and codes. Where it is known to be wrong or blind
 * (`test/model/disagreements.ts`), the rules beside this file decide. Which requests are not judged, and why:
 * `routeOf` in `../request-head.ts`.
 */
import type { Profile } from '../../../../openapi/contract/profile.ts';
import type { AnswerView, RequestView } from '../../../../openapi/reading/messages.ts';
import { loadedOnce } from '../../../workbench/loaded-once.ts';
import type { FoundViolation } from '../exchange.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeRequest } from './judge-request.ts';
import { loadJudge, type Prism } from './prism.ts';
import { createRules, type Rules, treeParameter } from './rules.ts';

// All proxies in a process share the judge for the hand-written contract.
const statedJudge = loadedOnce(() => loadJudge(createRules(undefined, () => undefined).document));

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
  /** Loads what judging needs, once. */
  readonly prepare: () => Promise<Prism>;

  /** Without a profile only what is stated is judged. `seenTreeParameter`: the name of the parameter, if seen. */
  constructor(profile: Profile | undefined, seenTreeParameter: () => string | undefined) {
    this.rules = createRules(profile, seenTreeParameter);
    this.prepare = profile === undefined ? statedJudge : loadedOnce(() => loadJudge(this.rules.document));
  }

  /** The violations of a request. Cached by view, so the view must not be changed. */
  async request(view: RequestView): Promise<Verdict> {
    const known = this.#requests.get(view);
    if (known !== undefined) return known;
    const found = await judgeRequest(view, this.rules, await this.prepare());
    if (isSettled(view)) this.#requests.set(view, found);
    return found;
  }

  /** The violations of a response. Cached in the same way. */
  async answer(request: RequestView, answer: AnswerView): Promise<Verdict> {
    const latest = this.#answers.get(request);
    if (latest?.answer === answer) return latest.found;
    const found = await judgeAnswer(request, answer, this.rules, await this.prepare());
    if (isSettled(request)) this.#answers.set(request, { answer, found });
    return found;
  }
}
