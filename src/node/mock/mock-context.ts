import type { IncomingMessage } from 'node:http';
import type { Access } from '../../workbench/admin-api/guard.ts';
import type { EdgeContext } from '../../workbench/edge/edge-context.ts';
import type { AnswerControl } from '../control-edge.ts';
import type { PageRule } from '../cors.ts';

/** What the parts of one server share. */
export interface MockContext extends EdgeContext {
  /** Which pages may read responses now: open point `cors`. */
  pageRule: () => PageRule;
  /** Whether the page that sends a request may send it at all. */
  allowsPage: (request: IncomingMessage) => boolean;
  /** Absent: there is no admin API. */
  answerControl: AnswerControl | undefined;
  /** Who may use it; undefined if there is none. */
  access: Access | undefined;
  /** How long a request may take to arrive, including its body. */
  requestTimeoutMs: number;
}
