import type { Check } from '../check.ts';
import {
  awaitListed,
  type CreateOperation,
  creationBody,
  creationKinds,
  sendCreation,
  toCreation,
} from '../creations.ts';
import { invalidKey, noKey } from '../credentials.ts';
import { member } from '../expectations.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';

/** A creation without a valid key creates nothing (section 5). */
export function creationRefusalChecks(operation: CreateOperation): Check[] {
  const { noun } = creationKinds[operation];
  const effects = operation === 'createDrive' ? { drives: 1 } : { mcpServers: 1 };
  const cases = [
    { rule: 'no-key-creates-nothing', who: 'without a key', credentials: () => noKey },
    {
      rule: 'wrong-key-creates-nothing',
      who: 'with a key that is nobody’s',
      credentials: (session: Session) => invalidKey(`nobody-${session.runId}`, 'header'),
    },
  ];
  return cases.map(({ rule, who, credentials }) => ({
    id: `${operation}.${rule}`,
    operation,
    phase: 'create',
    does: `Creates a ${noun} ${who}, then a valid one, and reads the list until it shows the latter.`,
    effects,
    run: (session) => expectNothingCreated(session, operation, credentials(session)),
  }));
}

// The valid creation comes later: once the list shows it, an earlier one would show as well.
async function expectNothingCreated(
  session: Session,
  operation: CreateOperation,
  credentials: typeof noKey,
): Promise<void> {
  const refused = creationBody(operation, session.newName());
  const reply = await sendCreation(session, operation, refused, { credentials });
  const body = creationBody(operation, session.newName());
  const control = toCreation(operation, body, await sendCreation(session, operation, body));
  const { listing, missing } = await awaitListed(session, [control]);
  const found = listing.items.find((item) => member(item, 'name') === refused.name);
  if (found !== undefined) {
    throw new Violated('nothing of that name in the list', JSON.stringify(found), [
      reply,
      ...listing.replies.slice(-1),
    ]);
  }
  if (missing.length > 0) throw new Unverified('PREREQUISITE', 'The list does not show valid creations either.');
}
