import type { Profile } from '../../../../openapi/contract/profile.ts';
import type { AnswerView, RequestView } from '../../../../openapi/reading/messages.ts';
import type { FoundViolation } from '../exchange.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeRequest } from './judge-request.ts';
import { loadJudge, type Prism } from './prism.ts';
import { createRules, type Rules } from './rules.ts';

// The contract as it is written is the same for every proxy of a process.
let statedPrism: Promise<Prism> | undefined;

function prismFor({ profile, document }: Rules): Promise<Prism> {
  if (profile !== undefined) return loadJudge(document);
  statedPrism ??= loadJudge(document);
  return statedPrism;
}

/** Says of requests and answers what they break of the contract. */
export class Judge {
  readonly rules: Rules;
  #prism: Promise<Prism> | undefined;

  /** Without a profile only what is stated is judged. `seenTreeParameter`: the name of the parameter, if seen. */
  constructor(profile: Profile | undefined, seenTreeParameter: () => string | undefined) {
    this.rules = createRules(profile, seenTreeParameter);
  }

  /** Loads what judging needs; once. */
  prepare(): Promise<Prism> {
    this.#prism ??= prismFor(this.rules);
    return this.#prism;
  }

  async request(view: RequestView): Promise<FoundViolation[]> {
    return judgeRequest(view, this.rules, await this.prepare());
  }

  async answer(request: RequestView, answer: AnswerView): Promise<FoundViolation[]> {
    return judgeAnswer(request, answer, this.rules, await this.prepare());
  }
}
