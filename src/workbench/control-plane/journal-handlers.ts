import { type Refusal, refuse } from '../../domain/refusal.ts';
import { factsOf, type JournalRecord, type MockJournal, toEntry } from '../journal/entry.ts';
import { createSelect } from '../journal/filter.ts';
import {
  type ControlAnswer,
  type ControlContext,
  type ControlHandler,
  type ControlInput,
  done,
  forScope,
  type WritePiece,
} from './control.ts';
import { answerExchange, streamExchanges } from './journal-answers.ts';

type Select = (record: JournalRecord) => boolean;
type OnJournal = (
  journal: MockJournal,
  select: Select | undefined,
  input: ControlInput,
  context: ControlContext,
) => ControlAnswer | Refusal;

function onJournal(act: OnJournal): ControlHandler {
  return forScope((tenant, input, context) => {
    const { journal, engine } = context;
    if (journal === undefined) return refuse('notFound', 'The journal is off: --journal-limit is 0.');
    const { operation, limit: _, ...others } = input.query;
    if (operation !== undefined && !engine.operations.some(({ operationId }) => operationId === operation))
      return refuse('invalidInput', 'query.operation is no operation of the contract; GET /openapi.json lists them.');
    const isWhole = operation === undefined && Object.keys(others).length === 0;
    const select = createSelect(input.query, tenant?.organization.id);
    return act(journal, isWhole ? undefined : (record) => select(factsOf(record)), input, context);
  });
}

/** The journal: list, watch, clear. */
export const journalHandlers = {
  listRequests: onJournal((journal, select, { query }) =>
    done({ requests: journal.list(select, query.limit as number | undefined).map(toEntry), kept: journal.limits }),
  ),

  clearRequests: onJournal((journal, select) => done({ forgotten: journal.clear(select) })),

  getRequest: onJournal((journal, _, { path }) => answerExchange(journal, path.requestNumber, toEntry)),

  watchRequests: onJournal((journal, select, _, { changes }) => {
    if (select !== undefined) return streamExchanges(journal, select, toEntry);
    const noteChanges = (write: WritePiece) =>
      changes.listen((operationId) =>
        write(`event: change
data: ${JSON.stringify({ operationId })}

`),
      );
    return streamExchanges(journal, () => true, toEntry, noteChanges);
  }),
} satisfies Record<string, ControlHandler>;
