import type { Session } from '../session.ts';
import { type VariedWrite, variedWrite } from './moved-file.ts';
import type { Observer } from './observer.ts';

/** Fields that the contract does not show for a body, and bodies that are not declared as JSON. */
export const bodyObservers: readonly Observer[] = [
  {
    openPoint: 'unknownBodyFields',
    phase: 'move',
    effects: { drives: 1, moves: true },
    ask: (session) => variedWrite(session, ({ name, value }) => ({ json: { [name]: value, colour: 'red' } })),
  },
  { openPoint: 'mediaTypeRules', phase: 'move', effects: { drives: 1, moves: true }, ask: sendUndeclared },
  { openPoint: 'unsupportedMediaTypeStatus', phase: 'move', effects: { moves: true }, ask: sendUndeclared },
];

/** Sends a write whose body is JSON, declared as plain text; once in a run. */
function sendUndeclared(session: Session): Promise<VariedWrite> {
  return session.once('undeclared body', () =>
    variedWrite(session, ({ name, value }) => ({
      raw: { body: JSON.stringify({ [name]: value }), contentType: 'text/plain' },
    })),
  );
}
