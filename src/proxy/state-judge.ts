/*
 * What live traffic says about the state of the server: the model of the specification (`openapi/model/`) follows every
 * exchange, and says where a response contradicts earlier ones. Rules that one exchange shows alone are `judge.ts`'s.
 */
import { own, say } from '../../lib/sentence.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { authHeadersOf, keysOf } from '../../openapi/contract/security.ts';
import type { Call } from '../../openapi/model/exchange.ts';
import { judgeFailure } from '../../openapi/model/failures.ts';
import { type Finding, findingOf } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import type { AnswerView, RequestView } from '../../openapi/reading/messages.ts';
import { isSuccess } from '../../openapi/reading/statuses.ts';
import type { FoundViolation, Severity } from './exchange.ts';

/** How long a change may take until every read shows it, in milliseconds: as long as the suite waits by default. */
const settleMs = 5000;

// A model grows with the traffic. What happened longer ago is forgotten.
const mostCalls = 5000;

/** A request that is on its way, as the model knows it. */
export interface Watched {
  model: Model;
  call: Call;
  keys: readonly string[];
}

/** What the model needs of a request beside its view. */
export interface WatchedRequest {
  requestId: string;
  /** Path and query as sent, below the base path. */
  target: string;
  /** The text of the body, if it was read whole. */
  text: string | undefined;
}

export class StateJudge {
  readonly #authHeaders = authHeadersOf(loadDocument());
  /** The keys that the server has accepted. Of others nothing is known. */
  readonly #validKeys = new Set<string>();
  readonly #seesAll: boolean;
  readonly #foreignResources: Profile['foreignResources'] | undefined;
  readonly #treeParameter: () => string | undefined;
  #model: Model;
  /** The request ids by the model's numbers. */
  #requestIds = new Map<number, string>();

  /**
   * `seesAll`: no other client reaches the server. `foreignResources`: the choice that the user has named.
   * `treeParameter`: the name of the parameter, if it is known.
   */
  constructor(
    seesAll: boolean,
    foreignResources: Profile['foreignResources'] | undefined,
    treeParameter: () => string | undefined,
  ) {
    this.#seesAll = seesAll;
    this.#foreignResources = foreignResources;
    this.#treeParameter = treeParameter;
    this.#model = this.#start();
  }

  /** Forgets everything, after the server was reset. */
  startAnew(): void {
    this.#model = this.#start();
  }

  /** A request is sent to the server: from now on, it may have its effect. */
  begin(view: RequestView, { requestId, target, text }: WatchedRequest): Watched {
    if (this.#requestIds.size >= mostCalls) this.startAnew();
    const keys = keysOf(view, this.#authHeaders);
    const [key] = keys;
    const call = this.#model.begin({
      ...{ operation: view.operation.operationId, target, headers: view.headers, body: text },
      organization: key,
      isUnclear: key !== undefined && (keys.length > 1 || !this.#validKeys.has(key)),
      startMs: performance.now(),
    });
    this.#requestIds.set(call.number, requestId);
    return { model: this.#model, call, keys };
  }

  /** A response has come, or none will. Returns where it contradicts earlier ones. */
  end({ model, call, keys }: Watched, answer: AnswerView | undefined): FoundViolation[] {
    if (model !== this.#model) return [];
    const findings = model.end(call, answer, performance.now());
    const [key] = keys;
    if (key !== undefined && keys.length === 1 && answer !== undefined && isSuccess(answer)) this.#validKeys.add(key);
    if (answer !== undefined && answer.status >= 500) return failuresOf(call, findings).map(toFailure);
    return findings.filter(({ proof }) => proof.length > 1).map((finding) => this.#toViolation(finding));
  }

  #start(): Model {
    const treeParameter = this.#treeParameter;
    this.#requestIds = new Map();
    return new Model({
      ...{ settleMs, foreignResources: this.#foreignResources },
      get treePathParameter() {
        return treeParameter();
      },
    });
  }

  #toViolation({ rule, level, certainty, expected, actual, proof }: Finding): FoundViolation {
    const earlier = proof.slice(0, -1).flatMap((number) => this.#requestIds.get(number) ?? []);
    const isSure = this.#seesAll && certainty === 'certain';
    const severity: Severity = isSure ? (level === 'must' ? 'Error' : 'Warning') : 'Hint';
    const message = say`Expected ${expected}, but got ${actual} (earlier: ${earlier.join(', ')})`;
    const doubt = own(isSure ? '' : '; a client that does not use this proxy may be the cause');
    return { location: ['response', 'body'], severity, code: rule, message: say`${message}${doubt}` };
  }
}

/** What an error of the server breaks. Whether an unknown key is valid, nobody knows: then the request may be bad input. */
function failuresOf(call: Call, findings: readonly Finding[]): Finding[] {
  // Whether the body is JSON is not judged here: a gateway may have written it.
  if (!call.isUnclear) return findings.filter(({ rule }) => rule !== 'bodies.refusals-are-json');
  const found: Finding[] = [];
  judgeFailure(call, undefined, (rule, certainty, grounds) => {
    if (rule !== 'bodies.refusals-are-json') found.push(findingOf(rule, certainty, grounds, call.number));
  });
  return found;
}

/** No other client can be the cause: no state of the server makes an error of the server right. */
function toFailure({ rule, level, expected, actual }: Finding): FoundViolation {
  const severity: Severity = level === 'must' ? 'Error' : 'Warning';
  const message = say`Expected ${expected}, but got ${actual}`;
  return { location: ['response', 'statusCode'], severity, code: rule, message };
}
