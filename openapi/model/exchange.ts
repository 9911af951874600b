// One request with its response, as an observer outside of the server sees it, and what it says when it is read.

import { decodeQuery, type Pair, pathParametersIn } from '../../lib/query.ts';
import { own } from '../../lib/sentence.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import { type Body, isObject, namesOneTwice, parseJson } from '../reading/messages.ts';
import { isSuccess } from '../reading/statuses.ts';

/** A request when it is sent. */
export interface Sent {
  /** The organization of the valid key that it carries; undefined without one. */
  organization: string | undefined;
  /** Whether it is open whom a server takes the sender for, such as with two keys: any organization, or nobody. */
  isUnclear?: boolean;
  operation: OperationId;
  /** As sent, below the base path, with the query. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  startMs: number;
}

/** A response when it has come. */
export interface Answered {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Body;
}

/** A request with its response; without one if none came. */
export interface Exchange extends Sent {
  answer: Answered | undefined;
  endMs: number;
}

/**
 * What became of a request. `unknown`: it may have had its effect, since no usable response came. `waiting`: the server
 * has not responded yet.
 */
export type Outcome = 'waiting' | 'success' | 'refused' | 'unknown';

/** Of bodies up to this length, what they show is compared with other responses. */
export const longestCompared = 5_000_000;

/** Whether a body is too long to be compared with other responses. */
export function isTooLong(body: Body): body is Extract<Body, { lengthBytes: number }> {
  return body.kind !== 'none' && body.lengthBytes > longestCompared;
}

/** A time from the start of a request to its end. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** A request under judgement, with everything that can be read from it alone. */
export class Call implements Span {
  readonly sent: Sent;
  readonly operation: Operation;
  /** Its place among the requests of the observer, from 1. */
  readonly number: number;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: readonly Pair[];
  /** The fields of the JSON object in the body; undefined if servers may read the body differently. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  answer: Answered | undefined;
  outcome: Outcome = 'waiting';
  /** Whether another request that may change something was in progress at the same time. */
  isBesideWrites = false;
  endMs: number = Number.POSITIVE_INFINITY;

  constructor(sent: Sent, operation: Operation, number: number) {
    const [path = '', query = ''] = sent.target.split(/\?(.*)/s, 2);
    this.sent = sent;
    this.operation = operation;
    this.number = number;
    this.params = pathParametersIn(operation, path.slice(1).split('/'));
    this.query = decodeQuery(query);
    this.fields = operation.takesBody ? fieldsOf(sent) : undefined;
  }

  end(answer: Answered | undefined, endMs: number): void {
    this.answer = answer;
    this.endMs = endMs;
    this.outcome = answer === undefined || this.isUnclear ? 'unknown' : outcomeOf(answer);
  }

  /** A long body is judged by itself only: what is compared stays in memory until the end of a run. */
  forgetLong(): void {
    const { answer } = this;
    if (answer === undefined || !isTooLong(answer.body)) return;
    const { lengthBytes } = answer.body;
    this.answer = { ...answer, body: { kind: 'unread', why: own('the body is long'), lengthBytes } };
  }

  get startMs(): number {
    return this.sent.startMs;
  }

  get organization(): string | undefined {
    return this.sent.organization;
  }

  get isUnclear(): boolean {
    return this.sent.isUnclear === true;
  }

  get status(): number {
    return this.answer?.status ?? 0;
  }

  /** The JSON of the response; undefined if there is none. */
  get json(): unknown {
    return this.answer?.body.kind === 'json' ? this.answer.body.value : undefined;
  }

  /** Whether the query consists of these parameters, each at most once and readable in one way only. */
  hasOnly(...names: readonly string[]): boolean {
    const isPlain = ({ name, value }: Pair) => names.includes(name) && value !== undefined;
    return this.query.every(isPlain) && new Set(this.query.map(({ name }) => name)).size === this.query.length;
  }
}

// A request that a server refused had no effect. A gateway may refuse one that the server carries out all the same.
function outcomeOf(answer: Answered): Outcome {
  if (isSuccess(answer)) return 'success';
  return answer.status >= 400 && answer.status < 500 && answer.status !== 408 ? 'refused' : 'unknown';
}

// Which of two members with one name counts is not stated anywhere.
function fieldsOf({ headers, body }: Sent): Readonly<Record<string, unknown>> | undefined {
  const isDeclared = /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
  if (body === undefined || !isDeclared) return undefined;
  const value = parseJson(body)?.value;
  return isObject(value) && !namesOneTwice(body, value) ? value : undefined;
}
