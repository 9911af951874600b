// The model of the specification watches a run: every exchange is judged by what all earlier ones have shown.
import { isSecretHeader } from '../../lib/secrets.ts';
import { jsonExcerpt, type Sentence, say } from '../../lib/sentence.ts';
import { type Answered, type Call, isTooLong, type Sent } from '../../openapi/model/exchange.ts';
import type { Finding } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import type { Body } from '../../openapi/reading/messages.ts';
import type { Settings } from '../run/settings.ts';
import { carries } from '../target/credentials.ts';
import { type Reply, type SentRequest, tooDeep } from '../target/reply.ts';

/** What the judge knows of the run. */
export type JudgeSettings = Pick<
  Settings,
  'apiKey' | 'otherApiKey' | 'settleMs' | 'treePathParameter' | 'foreignResources'
>;

/** A rule that a response broke. */
export interface Broken extends Finding {
  /** The exchanges that show it, the deciding one last. */
  replies: readonly Reply[];
}

/** In how many places of how many responses a rule is broken. */
export interface Extent {
  places: number;
  responses: number;
}

/** A model, and the replies to the requests that it numbers. */
interface Watch {
  model: Model;
  replies: Map<number, Reply>;
}

/** So many findings of a kind are kept: a server may break a rule in each response. */
const mostOfAKind = 50;

/** Gives every exchange of a run to the model as it begins and ends, and keeps what the model finds. */
export class Judge {
  /** In the order in which the responses came. */
  readonly broken: Broken[] = [];
  /** The checks whose results come from here. */
  readonly reporters = new Set<string>();
  /** The first response that was too long to be compared with others. */
  unread: Reply | undefined;
  readonly #settings: JudgeSettings;
  readonly #counts = new Map<string, number>();
  readonly #extents = new Map<string, Extent>();
  #watch: Watch | undefined;

  constructor(settings: JudgeSettings) {
    this.#settings = settings;
  }

  /** A request is sent. Returns what to call with its reply. */
  begin(request: SentRequest, startMs: number): (reply: Reply) => void {
    const watch = this.#watch ?? this.#start();
    const call = watch.model.begin({ ...sentBy(request, this.#settings), startMs });
    return (reply) => this.#end(watch, call, reply);
  }

  /** Forgets what was known, not what was found: a server that has crashed may have lost everything. */
  startAnew(): void {
    this.#watch = undefined;
  }

  /** A place in the findings, from which on those of each kind are counted anew. */
  mark(): number {
    this.#counts.clear();
    return this.broken.length;
  }

  /** How often the run has seen what broke, with the same operation. */
  extentOf(broken: Broken): Extent {
    const [kind, one] = [kindOf(broken, broken.replies.at(-1)), { places: 1, responses: 1 }];
    return this.#extents.get(kind) ?? one;
  }

  #start(): Watch {
    const { settleMs, treePathParameter, foreignResources } = this.#settings;
    this.#watch = { model: new Model({ settleMs, treePathParameter, foreignResources }), replies: new Map() };
    return this.#watch;
  }

  #end(watch: Watch, call: Call, reply: Reply): void {
    watch.replies.set(call.number, reply);
    const answered = toAnswered(reply);
    if (answered !== undefined && isTooLong(answered.body)) this.unread ??= reply;
    const findings = watch.model.end(call, answered, reply.receivedAtMs);
    // What the server was before it crashed says nothing about it now.
    if (watch !== this.#watch) return;
    for (const finding of findings) {
      const kind = kindOf(finding, reply);
      const { places, responses } = this.#extents.get(kind) ?? { places: 0, responses: 0 };
      this.#extents.set(kind, { places: places + (finding.places ?? 1), responses: responses + 1 });
      const count = this.#counts.get(kind) ?? 0;
      if (count === mostOfAKind) continue;
      this.#counts.set(kind, count + 1);
      const replies = finding.proof.flatMap((number) => watch.replies.get(number) ?? []);
      this.broken.push({ ...finding, replies });
    }
  }
}

function kindOf({ rule, certainty }: Finding, reply: Reply | undefined): string {
  return `${rule} ${certainty} ${reply?.request.operation}`;
}

function sentBy(request: SentRequest, settings: JudgeSettings): Omit<Sent, 'startMs'> {
  const { operation, path, body, isAuthenticated } = request;
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const isOther = settings.otherApiKey !== undefined && carries(request.headers, settings.otherApiKey);
  return {
    ...{ operation, target: path, body, headers: Object.fromEntries(headers) },
    organization: isAuthenticated ? (isOther ? 'other' : 'own') : undefined,
    isUnclear: !isClear(request, settings),
  };
}

// Whom two keys mean, or a key after a `bearer` in small letters, is open.
function isClear({ headers }: SentRequest, { apiKey, otherApiKey = '' }: JudgeSettings): boolean {
  const sent = Object.entries(headers).filter(([name]) => isSecretHeader(name));
  const isOdd = sent.some(([, value]) => /^bearer /i.test(value) && !value.startsWith('Bearer '));
  const isValid = [apiKey, otherApiKey].some((key) => key !== '' && sent.some(([, value]) => value.endsWith(key)));
  return !isValid || (sent.length === 1 && !isOdd);
}

function toAnswered(reply: Reply): Answered | undefined {
  const { status, headers, failure } = reply;
  return failure === undefined ? { status, headers, body: bodyOf(reply) } : undefined;
}

function bodyOf({ text, json, isJson, isTooDeep, hasBody }: Reply): Body {
  if (!hasBody) return { kind: 'none' };
  const lengthBytes = text?.length ?? 0;
  const notJson = (why: Sentence): Body => ({ kind: 'text', why, lengthBytes });
  if (text === undefined) return notJson(say`the body is not UTF-8`);
  if (isTooDeep) return notJson(say`the body is ${tooDeep}`);
  if (!isJson) return notJson(say`the body is not JSON: ${jsonExcerpt(text, 60)}`);
  return { kind: 'json', value: json, lengthBytes };
}
