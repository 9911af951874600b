import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Loudness } from '../../workbench/draw-profile.ts';
import type { Faults } from '../../workbench/faults/faults.ts';
import type { AnswerPreferring } from '../../workbench/forced/preferring.ts';
import type { MockJournal } from '../../workbench/journal/entry.ts';
import type { JournalLimits } from '../../workbench/journal/journal.ts';
import type { AnswerControl } from '../control-edge.ts';
import type { Exchange } from '../exchange.ts';

/** How the control plane is offered. */
interface ControlOptions {
  /** Demanded of every request, where there is one. */
  token: string | undefined;
  /** Which open points were drawn at the start. */
  vary: Loudness | undefined;
}

/** The options of the mock's HTTP server. */
export interface ServerOptions {
  /** Whether pages of other origins may call the mock. */
  hasCors: boolean;
  /** Whether answers name the open points that shaped them. */
  hasOpenPoints: boolean;
  /** Runs before a call is answered; undefined where nothing has to be done. */
  prepare: ((call: Call) => Promise<void> | undefined) | undefined;
  faults: Faults;
  /** Called with each exchange when its answer is written. */
  onExchange: ((exchange: Exchange) => void) | undefined;
  /** Called with errors that should not happen. */
  onUnexpected: (error: unknown) => void;
  /** Absent: there is no journal. */
  journal: JournalLimits | undefined;
  /** Absent: there is no control plane. */
  control: ControlOptions | undefined;
}

/** Everything that the parts of one server share. */
export interface MockContext {
  engine: Engine;
  options: ServerOptions;
  basePath: string;
  requestIds: (sent: unknown) => string;
  /** The latest response of each connection. */
  latest: WeakMap<Socket, ServerResponse>;
  /** Answers a request that failed with an error. */
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void;
  /** Answers a call as it prefers. */
  answerPreferring: AnswerPreferring;
  journal: MockJournal | undefined;
  /** Absent: there is no control plane. */
  answerControl: AnswerControl | undefined;
}
