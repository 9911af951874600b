import { type Refusal, refuse } from '../../domain/refusal.ts';
import { createSelect, factsOf, type MockRequestLog, type RequestLogRecord, toEntry } from '../request-log.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  forScope,
  type WritePiece,
} from './control.ts';
import { answerExchange, streamExchanges } from './request-log-answers.ts';

type Select = (record: RequestLogRecord) => boolean;
type OnRequestLog = (
  requestLog: MockRequestLog,
  select: Select | undefined,
  input: ControlInput,
  context: ControlContext,
) => ControlAnswer | Refusal;

function onRequestLog(act: OnRequestLog): ControlHandler {
  return forScope((sandbox, input, context) => {
    const { requestLog, engine } = context;
    if (requestLog === undefined) return refuse('notFound', 'The request log is off: --request-log-limit is 0.');
    const { operation, limit: _, ...others } = input.query;
    if (operation !== undefined && !engine.operations.some(({ operationId }) => operationId === operation))
      return refuse(
        'invalidInput',
        'query.operation is not an operation of the contract; GET /openapi.json lists them.',
      );
    const isWhole = operation === undefined && Object.keys(others).length === 0;
    const select = createSelect(input.query, sandbox?.organization.id);
    return act(requestLog, isWhole ? undefined : (record) => select(factsOf(record)), input, context);
  });
}

/** The request log: list, watch, clear. */
export const requestLogHandlers = {
  listRequests: onRequestLog((requestLog, select, { query }) =>
    done({
      requests: requestLog.list(select, query.limit as number | undefined).map(toEntry),
      kept: requestLog.limits,
    }),
  ),

  clearRequests: onRequestLog((requestLog, select) => done({ forgotten: requestLog.clear(select) })),

  getRequest: onRequestLog((requestLog, _, { path }) => answerExchange(requestLog, path.requestNumber, toEntry)),

  watchRequests: onRequestLog((requestLog, select, _, { changes }) => {
    if (select !== undefined) return streamExchanges(requestLog, select, toEntry);
    const noteChanges = (write: WritePiece) =>
      changes.listen((operationId) =>
        write(`event: change
data: ${JSON.stringify({ operationId })}

`),
      );
    return streamExchanges(requestLog, () => true, toEntry, noteChanges);
  }),
} satisfies Record<string, ControlHandler>;
