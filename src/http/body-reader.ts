import type { IncomingMessage, OutgoingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';

const nothing = () => undefined;

/** How far a body was read: to its end, up to the limit of bytes, or until the time was up. */
export type Extent = 'whole' | 'tooLarge' | 'tooSlow';

/** How much of a body is read before it is passed on, and how long that may take. */
export interface ReadLimits {
  bytes: number;
  /** No limit by default. */
  timeMs?: number;
}

/** A body on its way: first read up to a limit, then relayed piece by piece. */
export class BodyReader {
  readonly #message: IncomingMessage;
  #taken: Buffer[] = [];
  #isDropped = false;
  /** The bytes received so far. */
  lengthBytes = 0;

  constructor(message: IncomingMessage) {
    this.#message = message;
    // Readers get the error; there need not be any.
    message.on('error', nothing);
  }

  /** Reads the body within the limits. If that is not all of it, more may follow. */
  async collect({ bytes, timeMs }: ReadLimits, onPiece: () => void = nothing): Promise<Extent> {
    if (Number(this.#message.headers['content-length'] ?? 0) > bytes) return 'tooLarge';
    const take = (piece: Buffer) => {
      onPiece();
      this.#taken.push(piece);
      return this.lengthBytes > bytes;
    };
    if (await this.#read(take, timeMs)) return 'whole';
    return this.lengthBytes > bytes ? 'tooLarge' : 'tooSlow';
  }

  /** The bytes that were read so far, until they are relayed. */
  get taken(): Buffer {
    const [first, ...more] = this.#taken;
    return first !== undefined && more.length === 0 ? first : Buffer.concat(this.#taken);
  }

  /** Reads the body to its end and discards it. */
  async skip(): Promise<void> {
    await this.#read(() => false);
  }

  /**
   * Writes the bytes already read, then the rest, no faster than the sink takes them, until `isUnwanted` returns true.
   */
  async passTo(sink: OutgoingMessage, onPiece: () => void, isUnwanted = () => false): Promise<void> {
    const taken = this.#taken;
    this.#taken = [];
    for (const piece of taken) await write(sink, piece);
    for (;;) {
      let next: Buffer | undefined;
      const isOver = await this.#read((piece) => {
        next = piece;
        return true;
      });
      if (isOver || next === undefined) return;
      // A response that came meanwhile is read first: Node drops unread data when a write fails.
      await setImmediate();
      if (isUnwanted()) return;
      onPiece();
      await write(sink, next);
      onPiece();
    }
  }

  /** Discards the rest: the next request of a connection cannot be read before the body ahead of it. */
  drop(): void {
    this.#isDropped = true;
    this.#message.resume();
  }

  /**
   * Reads pieces until `take` returns true, or the time is up. Resolves with true at the end of the body. It uses
   * events: leaving an async iterator early would end the connection, and no response could be sent.
   */
  #read(take: (piece: Buffer) => boolean, timeMs?: number): Promise<boolean> {
    const message = this.#message;
    if (message.readableEnded) return Promise.resolve(true);
    if (message.destroyed) return Promise.reject(message.errored ?? closed());
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const stop = () => {
      clearTimeout(timer);
      message.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    };
    const onPause = () => {
      if (!this.#isDropped) message.pause();
      stop();
      resolve(false);
    };
    const onData = (piece: Buffer) => {
      this.lengthBytes += piece.length;
      if (take(piece)) onPause();
    };
    const onEnd = () => {
      stop();
      resolve(true);
    };
    const onError = (error: Error) => {
      stop();
      reject(error);
    };
    const onClose = () => onError(message.errored ?? closed());
    const timer = timeMs === undefined ? undefined : setTimeout(onPause, timeMs);
    message.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose).resume();
    return promise;
  }
}

async function write(sink: OutgoingMessage, piece: Buffer): Promise<void> {
  if (sink.destroyed) throw closed();
  if (!sink.write(piece)) await drained(sink);
}

function drained(sink: OutgoingMessage): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = () => reject(closed());
  sink.once('drain', resolve).once('close', onClose);
  return promise.finally(() => sink.off('drain', resolve).off('close', onClose));
}

function closed(): Error {
  return Object.assign(new Error('nobody reads any more'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

class BodyTooLarge extends Error {
  readonly code = 'BODY_TOO_LARGE';
}

/**
 * The body of a request as bytes; rejects with {@link BodyTooLarge} above the limit. The rest is read and dropped: a
 * client that is still sending must be able to read the error response.
 */
export async function readWhole(message: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const body = new BodyReader(message);
  if ((await body.collect({ bytes: limitBytes })) === 'whole') return body.taken;
  body.drop();
  throw new BodyTooLarge();
}
