import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Faults } from '../../workbench/faults/faults.ts';
import type { AnswerPreferring } from '../../workbench/forced/forced-answers.ts';
import type { MockJournal } from '../../workbench/journal/entry.ts';
import type { AnswerControl } from '../control-edge.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestIds } from './request-ids.ts';

/** Everything that the parts of one server share. */
export interface MockContext {
  engine: Engine;
  basePath: string;
  /** Whether pages of other origins may call the mock. */
  hasCors: boolean;
  /** Whether the page that sends a request may do so at all. */
  allowsPage: (request: IncomingMessage) => boolean;
  /** Whether answers name the open points that shaped them. */
  hasOpenPoints: boolean;
  faults: Faults;
  /** Runs before a call is answered; undefined where nothing has to be done. */
  prepare: ((call: Call) => Promise<void> | undefined) | undefined;
  /** Answers a call as it prefers. */
  answerPreferring: AnswerPreferring;
  journal: MockJournal | undefined;
  /** Absent: there is no control plane. */
  answerControl: AnswerControl | undefined;
  /** Whether it answers more than health. */
  hasControl: boolean;
  requestIds: RequestIds;
  /** The latest response of each connection. */
  latest: WeakMap<Socket, ServerResponse>;
  /** Called with each exchange when its answer is written. */
  onExchange: ((exchange: Exchange) => void) | undefined;
  /** Called with errors that should not happen. */
  onUnexpected: (error: unknown) => void;
}
