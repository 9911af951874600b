import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import type { ControlOptions } from './control/options.ts';
import type { Exchange } from './exchange.ts';
import type { Faults } from './faults/faults.ts';
import type { AnswerPreferring } from './forced/preferring.ts';
import type { Journal, JournalLimits } from './journal/journal.ts';

/** What a server may be told. */
export interface ServerOptions {
  /** Whether pages of other origins may call the mock. */
  hasCors: boolean;
  /** Whether answers say which open points shaped them. */
  hasOpenPoints: boolean;
  /** What has to be waited for before a call is answered, where there is something. */
  prepare?: ((call: Call) => Promise<void> | undefined) | undefined;
  /** What deviations are injected. */
  faults: Faults;
  /** Told of each exchange when its answer is written. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Told of what should not have happened. */
  onUnexpected?: ((error: unknown) => void) | undefined;
  /** How much the journal keeps; absent: there is none. */
  journal?: JournalLimits | undefined;
  /** Absent: there is no control plane. */
  control?: ControlOptions | undefined;
}

/** What the parts of one server share. */
export interface Edge {
  engine: Engine;
  options: ServerOptions;
  basePath: string;
  requestIds: (sent: unknown) => string;
  /** The latest response of each connection. */
  latest: WeakMap<Socket, ServerResponse>;
  /** Answers a request at which something went wrong. */
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void;
  /** Answers a call as it prefers. */
  answerPreferring: AnswerPreferring;
  /** Absent: nothing is kept. */
  journal?: Journal | undefined;
}
