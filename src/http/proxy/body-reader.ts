import type { IncomingMessage, OutgoingMessage } from 'node:http';

/** A body on its way: first taken in as far as a limit goes, then handed on piece by piece. */
export class BodyReader {
  readonly #message: IncomingMessage;
  readonly #chunks: AsyncIterator<Buffer>;
  #taken: Buffer[] = [];
  /** What came so far. */
  lengthBytes = 0;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.#chunks = message[Symbol.asyncIterator]();
    // Whoever reads is told by the iterator; nobody has to read.
    message.on('error', () => undefined);
  }

  /** Takes in the body. False when it is larger than the limit: then more may be to come. */
  async collect(limitBytes: number, onPiece: () => void): Promise<boolean> {
    if (Number(this.#message.headers['content-length'] ?? 0) > limitBytes) return false;
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) {
      onPiece();
      this.#taken.push(piece);
      if (this.lengthBytes > limitBytes) return false;
    }
    return true;
  }

  /** What was taken in so far. */
  get taken(): Buffer {
    return Buffer.concat(this.#taken);
  }

  /** Writes what was taken in and then the rest, no faster than it is read there. */
  async passTo(sink: OutgoingMessage, onPiece: () => void): Promise<void> {
    const taken = this.#taken;
    this.#taken = [];
    for (const piece of taken) await write(sink, piece);
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) {
      onPiece();
      await write(sink, piece);
      onPiece();
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return undefined;
    this.lengthBytes += value.length;
    return value;
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
