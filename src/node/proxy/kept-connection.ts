import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is known about the exchange on a connection. */
interface Exchange {
  request: ClientRequest;
  answer: IncomingMessage | undefined;
  /** The size of the head, if it came in one piece. */
  headBytes: number;
  /** All bytes received. */
  bytes: number;
  last: Buffer;
  /** Whether the end of the response is uncertain. */
  isDoubtful: boolean;
}

const nothing = Buffer.alloc(0);
const emptyLine = '\r\n\r\n';

/**
 * A reusable connection to an upstream. It counts all received bytes, since Node does not say whether there were more
 * than the response. Any doubt closes it.
 */
export class KeptConnection {
  readonly #socket: Duplex;
  #exchange: Exchange | undefined;

  /** Create it before Node listens to the socket. */
  constructor(socket: Duplex, onStray: () => void) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => {
      if (this.#exchange !== undefined) take(this.#exchange, piece);
      else socket.destroy();
    });
    // Some Node versions close it before bytes on an idle connection are seen.
    let known = 0;
    socket.on('free', () => {
      known = bytesRead(socket);
    });
    socket.once('close', () => {
      if (this.#exchange === undefined && bytesRead(socket) > known) onStray();
    });
  }

  /** Call it when a request is sent over the connection. */
  begin(request: ClientRequest): void {
    const exchange: Exchange = {
      ...{ request, answer: undefined, headBytes: 0, bytes: 0, last: nothing, isDoubtful: false },
    };
    this.#exchange = exchange;
    request.once('information', () => {
      exchange.isDoubtful = true;
    });
    request.once('response', (answer) => {
      exchange.answer = answer;
    });
  }

  /** Whether nothing was received since the request was sent. */
  get isSilent(): boolean {
    return this.#exchange?.bytes === 0;
  }

  /** Ends the exchange. Whether the connection may be reused: the response was unambiguous, and nothing else came. */
  end(): boolean {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    return exchange !== undefined && !this.#socket.destroyed && !exchange.isDoubtful && isOver(exchange);
  }
}

function bytesRead(socket: Duplex): number {
  return 'bytesRead' in socket ? Number(socket.bytesRead) : 0;
}

function take(exchange: Exchange, piece: Buffer): void {
  const { request, answer, bytes } = exchange;
  if (bytes === 0) exchange.headBytes = piece.indexOf(emptyLine) + emptyLine.length;
  // Before the request was sent, or after the response was complete.
  if (!request.writableFinished || answer?.complete === true) exchange.isDoubtful = true;
  exchange.bytes += piece.length;
  exchange.last = piece;
}

/** Whether the last byte received was the last one of the response. */
function isOver({ answer, headBytes, bytes, last }: Exchange): boolean {
  if (answer === undefined || !answer.complete || !isPlain(answer)) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = answer.headers;
  if (coding === undefined) return isCanonical(length) && headBytes + Number(length) === bytes;
  // Any bytes after these would not be HTTP, so Node would have closed the connection.
  return (
    length === undefined && coding === 'chunked' && /(?:^|\n)0\r\n\r\n$/.test(last.toString('latin1', last.length - 6))
  );
}

// Some servers send a body with these statuses.
const bodiless = [204, 205, 304];

/** Whether a response ends where its length says and leaves the connection usable. */
function isPlain({
  httpVersion,
  statusCode = 0,
  headers: { connection = 'keep-alive', upgrade },
}: IncomingMessage): boolean {
  const isFinal = statusCode >= 200 && statusCode <= 599 && !bodiless.includes(statusCode);
  return httpVersion === '1.1' && isFinal && connection.toLowerCase() === 'keep-alive' && upgrade === undefined;
}

function isCanonical(length: string | undefined): boolean {
  return length !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(length);
}
