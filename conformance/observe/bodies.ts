import type { CallInput, Session } from '../session.ts';
import { type VariedWrite, variedWrite } from './moved-file.ts';
import { isAccepted, type Observer, type Seen } from './observer.ts';

/** What else a body may hold, and how it has to be declared. */
export const bodyObservers: readonly Observer[] = [
  {
    openPoint: 'unknownBodyFields',
    phase: 'move',
    effects: { drives: 1, moves: true },
    see: async (session) => {
      const { reply } = await variedWrite(session, ({ name, value }) => ({ json: { [name]: value, colour: 'red' } }));
      return isAccepted(reply) ? 'ignored' : 'refused';
    },
  },
  { openPoint: 'mediaTypeRules', phase: 'move', effects: { drives: 1, moves: true }, see: seeMediaTypeRules },
  {
    openPoint: 'unsupportedMediaTypeStatus',
    phase: 'move',
    effects: { moves: true },
    see: async (session) => {
      const { reply } = await undeclared(session);
      return isAccepted(reply) ? undefined : reply.status;
    },
  },
];

/** A write whose body is JSON, and declared as plain text. It is sent once in a run. */
function undeclared(session: Session): Promise<VariedWrite> {
  return session.once('undeclared body', () => variedWrite(session, ({ name, value }) => asText({ [name]: value })));
}

function asText(value: unknown): Pick<CallInput, 'raw'> {
  return { raw: { body: JSON.stringify(value), contentType: 'text/plain' } };
}

// A body that is accepted must have been read as well.
async function seeMediaTypeRules(session: Session): Promise<Seen> {
  const { reply, isTakenOver } = await undeclared(session);
  if (!isAccepted(reply)) return 'strict';
  return isTakenOver ? 'lenient' : { other: 'accepted, and not read' };
}
