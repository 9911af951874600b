import { type Refusal, refuse } from '../../domain/refusal.ts';
import {
  createSelect,
  type ExchangeFacts,
  type MockRequestLog,
  type Recorded,
  type RequestLog,
  toEntry,
} from '../request-log.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  forScope,
  type WritePiece,
} from './control.ts';

type Query = ControlInput['query'];

/** How an admin API reads, watches and clears a request log, of a mock or of a proxy. */
export function requestLogAnswers<Entry>(
  show: (recorded: Recorded<Entry>) => object,
  factsOf: (entry: Entry) => ExchangeFacts,
) {
  // Undefined: all exchanges.
  const selectOf = ({ limit: _, ...filters }: Query, organizationId?: string) => {
    if (Object.keys(filters).length === 0) return undefined;
    const select = createSelect(filters, organizationId);
    return (entry: Entry) => select(factsOf(entry));
  };
  // The event of each exchange: it is formatted and redacted only once for all followers.
  const events = new WeakMap<object, Uint8Array>();
  const eventOf = (recorded: Recorded<Entry>) => {
    const known = events.get(recorded);
    if (known !== undefined) return known;
    const text = `event: exchange\nid: ${recorded.number}\ndata: ${JSON.stringify(show(recorded))}\n\n`;
    const event = new TextEncoder().encode(text);
    events.set(recorded, event);
    return event;
  };
  return {
    list: (requestLog: RequestLog<Entry>, query: Query, organizationId?: string) => {
      const found = requestLog.list(selectOf(query, organizationId), query.limit as number | undefined);
      return done({ requests: found.map(show), kept: requestLog.limits, dropped: requestLog.dropped });
    },
    clear: (requestLog: RequestLog<Entry>, query: Query, organizationId?: string) =>
      done({ forgotten: requestLog.clear(selectOf(query, organizationId)) }),
    read: (requestLog: RequestLog<Entry>, { requestNumber }: ControlInput['path']) => {
      const found = requestLog.find(Number(requestNumber));
      return found === undefined
        ? refuse('notFound', 'No such exchange, or it is no longer in the request log.')
        : done(show(found));
    },
    /** Each event is one new exchange, and its id the number. `alsoListen` may write others, if all are watched. */
    watch: (
      requestLog: RequestLog<Entry>,
      query: Query,
      organizationId?: string,
      alsoListen: (write: WritePiece) => () => void = () => () => undefined,
    ): ControlAnswer => {
      const isSelected = selectOf(query, organizationId);
      const stream = (write: WritePiece) => {
        write(': each exchange is one event\n\n');
        const stop = requestLog.listen((recorded) => {
          if (isSelected?.(recorded.entry) ?? true) write(eventOf(recorded));
        });
        const stopOther = isSelected === undefined ? alsoListen(write) : () => undefined;
        return () => {
          stop();
          stopOther();
        };
      };
      return { status: 200, stream };
    },
  };
}

const { list, clear, read, watch } = requestLogAnswers(toEntry, (record) => record);

type OnRequestLog = (
  requestLog: MockRequestLog,
  input: ControlInput,
  organizationId: string | undefined,
  context: ControlContext,
) => ControlAnswer | Refusal;

function onRequestLog(act: OnRequestLog): ControlHandler {
  return forScope((sandbox, input, context) => {
    const { requestLog } = context;
    if (requestLog === undefined) return refuse('notFound', 'The request log is off: --request-log-limit is 0.');
    return act(requestLog, input, sandbox?.organization.id, context);
  });
}

export const requestLogHandlers = {
  listRequests: onRequestLog((requestLog, { query }, organizationId) => list(requestLog, query, organizationId)),

  clearRequests: onRequestLog((requestLog, { query }, organizationId) => clear(requestLog, query, organizationId)),

  getRequest: onRequestLog((requestLog, { path }) => read(requestLog, path)),

  watchRequests: onRequestLog((requestLog, { query }, organizationId, { changes }) =>
    watch(requestLog, query, organizationId, (write) =>
      changes.listen((operationId) => write(`event: change\ndata: ${JSON.stringify({ operationId })}\n\n`)),
    ),
  ),
} satisfies Record<string, ControlHandler>;
