// The model of the specification watches a run: every exchange is judged by what all earlier ones have shown.
import { isSecretHeader } from '../../lib/secrets.ts';
import { own } from '../../lib/sentence.ts';
import type { Answered, Call, Sent } from '../../openapi/model/exchange.ts';
import type { Finding } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import { type Body, parseBody } from '../../openapi/reading/messages.ts';
import type { Settings } from '../config/settings.ts';
import { carries } from '../target/credentials.ts';
import type { Reply, SentRequest } from '../target/reply.ts';

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
  /** The first response that was too long for the model. */
  unread: Reply | undefined;
  readonly #settings: JudgeSettings;
  readonly #counts = new Map<string, number>();
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

  #start(): Watch {
    const { settleMs, treePathParameter, foreignResources } = this.#settings;
    this.#watch = { model: new Model({ settleMs, treePathParameter, foreignResources }), replies: new Map() };
    return this.#watch;
  }

  #end(watch: Watch, call: Call, reply: Reply): void {
    watch.replies.set(call.number, reply);
    const answered = toAnswered(reply);
    if (answered?.body.kind === 'unread') this.unread ??= reply;
    const findings = watch.model.end(call, answered, reply.receivedAtMs);
    // What the server was before it crashed says nothing about it now.
    if (watch !== this.#watch) return;
    for (const finding of findings) {
      const kind = `${finding.rule} ${finding.certainty} ${reply.request.operation}`;
      const count = this.#counts.get(kind) ?? 0;
      if (count === mostOfAKind) continue;
      this.#counts.set(kind, count + 1);
      const replies = finding.proof.flatMap((number) => watch.replies.get(number) ?? []);
      this.broken.push({ ...finding, replies });
    }
  }
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

/** Longer bodies, in characters, are not read again: what they hold would stay in memory until the end of the run. */
export const longestRead = 5_000_000;

function toAnswered(reply: Reply): Answered | undefined {
  const { status, headers, failure } = reply;
  return failure === undefined ? { status, headers, body: bodyOf(reply) } : undefined;
}

function bodyOf({ text, json, isJson, isTooDeep }: Reply): Body {
  // Bytes that are not UTF-8 are not kept; these are none either.
  if (text === undefined) return parseBody(Uint8Array.of(0xff));
  if (isTooDeep) return { kind: 'none' };
  const lengthBytes = text.length;
  if (lengthBytes > longestRead) return { kind: 'unread', why: own('the body is long'), lengthBytes };
  return isJson ? { kind: 'json', value: json, lengthBytes } : parseBody(new TextEncoder().encode(text));
}
