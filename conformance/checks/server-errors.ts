import { own, say } from '../../lib/sentence.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../check.ts';
import { circumstancesOf } from '../circumstances.ts';
import { sendBadInput } from '../probing/bad-input.ts';
import { operationUses } from '../probing/operations.ts';
import { isServerError } from '../server-errors.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import type { Reply } from '../target/reply.ts';

/** No request makes the server fail (7). Each check judges all replies of its operation, also to bad input. */
export const serverErrorChecks: readonly Check[] = operationsOf(loadDocument()).map(({ operationId }) => {
  const { phase: _, ...refused } = operationUses[operationId].refused ?? {};
  return checksOf(operationId, 'judge')(
    'no-server-error',
    'Sends a key of odd characters, ids with a NUL, invalid bodies and repeated parameters, and checks the status of every response of the run.',
    async (session) => {
      const replies = await repliesToBadInput(session, operationId);
      expectNoServerError(session, replies);
    },
    // The response for the tools of a made-up server is open, and may be a 500: observing causes some.
    { ...refused, isAboutAnswers: operationId !== 'listMcpServerTools' },
  );
});

function expectNoServerError(session: Session, replies: readonly Reply[]): void {
  const failed = replies.filter(isServerError);
  const [first] = failed;
  if (first === undefined) return;
  const more = failed.length === 1 ? say`` : say` (${failed.length} of ${replies.length} responses)`;
  const { failure, words, before } = circumstancesOf(session, failed) ?? { failure: first, words: say``, before: [] };
  const expected = say`no 5xx status except 502, 503, 504 and 507, whatever is sent`;
  throw new Violated(expected, say`status ${failure.status}${more}${words}`, [...before, failure]);
}

/** All replies of an operation so far, also to bad input. */
async function repliesToBadInput(session: Session, operation: OperationId): Promise<Reply[]> {
  await sendBadInput(session, operation);
  const replies = session.repliesOf(operation);
  if (replies.length > 0) return replies;
  session.requireWrites();
  throw new Inconclusive('PREREQUISITE', say`No ${own(operation)} request was sent.`);
}
