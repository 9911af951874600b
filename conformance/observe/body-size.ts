import { say } from '../../openapi/reading/sentence.ts';
import { sendMove } from '../probing/file-moves.ts';
import type { MovableFile } from '../probing/file-tracker.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import type { Reply } from '../target/reply.ts';
import { placeOf } from './moved-file.ts';
import { isAccepted, type Observer } from './observer.ts';

/** The largest accepted body, found by moves of a file to its own path with blanks after the JSON. */
export const bodySizeObservers: readonly Observer[] = [
  {
    openPoint: 'bodySizeLimit',
    phase: 'move',
    effects: { moves: true },
    see: async (session) => (await sizes(session)).limit,
  },
  {
    openPoint: 'bodyTooLargeStatus',
    phase: 'move',
    effects: { moves: true },
    see: async (session) => (await sizes(session)).status,
  },
];

const mebibyte = 1_048_576;

/** Sizes at the usual limits and right above them, the most usual limits first. */
const guesses = [mebibyte, 65_536, 10 * mebibyte, 4_096, 102_400, 1_000_000, 5 * mebibyte].flatMap((size) => [
  size + 1,
  size,
]);

interface Sizes {
  /** The size of the largest body that is accepted; undefined where it was not found. */
  limit: number | undefined;
  /** Which code answers a larger one. */
  status: number | undefined;
}

function sizes(session: Session): Promise<Sizes> {
  return session.once('body sizes', () => findLimit(session));
}

// Above a mebibyte only the usual limits are tried: all others would take too many bytes to find.
async function findLimit(session: Session): Promise<Sizes> {
  const { file, place } = await placeOf(session);
  const send = (size: number) => sendPadded(session, file, place.path, size);
  if (!isAccepted(await send(0)))
    throw new Unverified('PREREQUISITE', say`The target refuses a move of a file to its own path.`);
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
}

function sendPadded(session: Session, file: MovableFile, path: string, size: number): Promise<Reply> {
  const json = JSON.stringify({ path });
  const body = json + ' '.repeat(Math.max(0, size - Buffer.byteLength(json)));
  return sendMove(session, file, path, { raw: { body, contentType: 'application/json' } });
}
