import { LostConnection, PageConnection } from './connection.ts';

/** A request as the parts of this edge read it. */
export interface PageRequest {
  method: string;
  /** The URL that it was sent to, without a fragment. */
  address: string;
  /** Path and query, without the base address's part before the version segment. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  startedAtMs: number;
  /** The client's end of the exchange. */
  connection: PageConnection;
  /** The bytes of its body; undefined if there is none. Throws a {@link LostConnection} if they do not all arrive. */
  readBody(): Promise<Uint8Array | undefined>;
}

/** The part of a page's address space that belongs to a mock. */
export interface Place {
  origin: string;
  /** The path before the version segment; usually empty. */
  prefix: string;
}

/** The path and query of a URL of the mock; undefined for any other URL. */
export function targetIn({ origin, prefix }: Place, url: URL): string | undefined {
  const isHere = url.origin === origin && `${url.pathname}/`.startsWith(`${prefix}/`);
  return isHere ? url.pathname.slice(prefix.length) + url.search || '/' : undefined;
}

/** `origin` is what the client passed: the request was made from it. */
export function toPageRequest(request: Request, target: string, origin: unknown): PageRequest {
  const { method, headers, url, body } = request;
  const connection = new PageConnection(request, origin);
  return {
    ...{ method, target, headers: Object.fromEntries(headers), address: url.replace(/#.*/s, '') },
    startedAtMs: performance.now(),
    connection,
    readBody: async () => (body === null ? undefined : readAll(body, connection)),
  };
}

// Not `arrayBuffer()`: that would wait for a stream that the client has abandoned.
async function readAll(body: ReadableStream<unknown>, connection: PageConnection): Promise<Uint8Array> {
  const reader = body.getReader();
  const giveUp = () => reader.cancel(connection.aborted?.reason).catch(() => undefined);
  connection.once('close', giveUp);
  const pieces: Uint8Array[] = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) pieces.push(bytesOf(part.value));
  } catch (error) {
    reader.cancel(error).catch(() => undefined);
    throw new LostConnection(error);
  }
  connection.off('close', giveUp);
  if (connection.destroyed) throw new LostConnection(connection.aborted?.reason);
  return joined(pieces);
}

// Bytes from any realm: in jsdom, Node's bytes are not `instanceof Uint8Array`. Node also sends strings.
function bytesOf(piece: unknown): Uint8Array {
  if (ArrayBuffer.isView(piece)) return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  if (typeof piece === 'string') return new TextEncoder().encode(piece);
  throw new TypeError('A body stream must produce bytes.');
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}
