import type { ServerResponse } from 'node:http';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { isWanted, type JournalFilter } from '../journal/filter.ts';
import type { Journal } from '../journal/journal.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  organizationInQuery,
} from './control.ts';

type OnJournal = (journal: Journal, filter: JournalFilter, input: ControlInput) => ControlAnswer | Refusal;

function onJournal(act: OnJournal): ControlHandler {
  return (input, context) => {
    if (context.journal === undefined) return refuse('notFound', 'This mock keeps no journal: --journal-limit is 0.');
    const filter = filterOf(input, context);
    return 'refused' in filter ? filter : act(context.journal, filter, input);
  };
}

function filterOf(input: ControlInput, context: ControlContext): JournalFilter | Refusal {
  const resident = organizationInQuery(input, context);
  if (resident !== undefined && 'refused' in resident) return resident;
  const { operation, status, since, until } = input.query;
  if (operation !== undefined && !context.engine.operations.some(({ operationId }) => operationId === operation)) {
    return refuse('invalidInput', `query.operation is no operation of the contract; GET /openapi.json lists them.`);
  }
  return {
    organizationId: resident?.organization.id,
    operationId: operation as OperationId | undefined,
    status: status as number | undefined,
    sinceMs: since === undefined ? undefined : Date.parse(String(since)),
    untilMs: until === undefined ? undefined : Date.parse(String(until)),
  };
}

export const listRequests = onJournal((journal, filter, { query }) =>
  done({ requests: journal.list(filter, query.limit as number | undefined), kept: journal.limits }),
);

export const clearRequests = onJournal((journal, filter) => done({ forgotten: journal.clear(filter) }));

export const getRequest = onJournal((journal, _, { path }) => {
  const entry = journal.find(Number(path.requestNumber));
  return entry === undefined ? refuse('notFound', 'There is no such exchange, or not any more.') : done(entry);
});

export const watchRequests = onJournal((journal, filter) => ({
  status: 200,
  stream: (response) => watch(journal, filter, response),
}));

// A reader that is slower than this is let go: what waits for it would grow without end.
const waitingBytes = 1_048_576;

function watch(journal: Journal, filter: JournalFilter, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': each exchange is one event\n\n');
  const stop = journal.listen((entry, kept) => {
    if (!isWanted(kept, filter)) return;
    response.write(`event: exchange\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
    if (response.writableLength > waitingBytes) response.destroy();
  });
  response.on('close', stop);
}
