import { say } from '../../lib/sentence.ts';
import { oncePerRun } from '../once.ts';
import { sendMove } from '../probing/file-moves.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { placeOf, variedWrite } from './moved-file.ts';
import { isAccepted } from './observer.ts';

/** Sends a write with a field that the contract does not show. */
export function sendMoreFields(session: Session): Promise<unknown> {
  return variedWrite(session, ({ name, value }) => ({ json: { [name]: value, colour: 'red' } }));
}

/** Sends a write whose body is JSON, declared as plain text. */
export const sendUndeclared = oncePerRun((session) =>
  variedWrite(session, ({ name, value }) => ({
    raw: { body: JSON.stringify({ [name]: value }), contentType: 'text/plain' },
  })),
);

const mebibyte = 1_048_576;

/** Sizes at the usual limits and right above them, the most usual limits first. */
const guesses = [mebibyte, 65_536, 10 * mebibyte, 4_096, 102_400, 1_000_000, 5 * mebibyte].flatMap((size) => [
  size + 1,
  size,
]);

interface Sizes {
  /** The size of the largest accepted body; undefined if it was not found. */
  limit: number | undefined;
  /** The status for a larger one. */
  status: number | undefined;
}

/**
 * The largest accepted body, found by moving a file to its current path with blanks after the JSON. Above a mebibyte
 * only the usual limits are tried: all others would take too many bytes to find.
 */
export const findSizeLimit = oncePerRun(async (session: Session): Promise<Sizes> => {
  const { file, place } = await placeOf(session);
  const json = JSON.stringify({ path: place.path });
  const send = (size: number) => {
    const body = json + ' '.repeat(Math.max(0, size - Buffer.byteLength(json)));
    return sendMove(session, file, place.path, { raw: { body, contentType: 'application/json' } });
  };
  if (!isAccepted(await send(0)))
    throw new Inconclusive('PREREQUISITE', say`The target refuses a move of a file to its own path.`);
  const range = { accepted: 0, refused: Number.POSITIVE_INFINITY };
  let status: number | undefined;
  const tryOne = async (size: number) => {
    if (size <= range.accepted || size >= range.refused) return;
    const reply = await send(size);
    if (!isAccepted(reply)) status = reply.status;
    range[reply.isSuccess ? 'accepted' : 'refused'] = size;
  };
  for (const size of guesses) await tryOne(size);
  while (range.refused - range.accepted > 1 && range.refused <= mebibyte) {
    await tryOne(Math.floor((range.accepted + range.refused) / 2));
  }
  return { limit: range.refused - range.accepted === 1 ? range.accepted : undefined, status };
});
