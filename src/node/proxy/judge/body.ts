import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Body } from '../../../../openapi/reading/messages.ts';
import { excerpt, type Sentence, say } from '../../../../openapi/reading/sentence.ts';

/** What is known of a body when it is to be judged. */
interface BodyBytes {
  bytes: Buffer;
  /** How many came so far, or were announced. */
  lengthBytes: number;
  /** False when it was larger than the limit. */
  isWhole: boolean;
  /** `Content-Encoding` */
  encoding: string | undefined;
}

/** Reads a body, of which a compressed one is decompressed for this purpose alone. */
export async function readBody(body: BodyBytes, limitBytes: number): Promise<Body> {
  const { bytes, lengthBytes, isWhole, encoding } = body;
  const tooLarge = say`body above ${limitBytes} bytes`;
  if (!isWhole) return { kind: 'unread', why: tooLarge, lengthBytes };
  if (bytes.length === 0) return { kind: 'none' };
  try {
    return parse(await decode(bytes, encoding, limitBytes));
  } catch (error) {
    if (error instanceof UnknownEncoding) return { kind: 'unread', why: error.reason, lengthBytes };
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      return { kind: 'unread', why: tooLarge, lengthBytes };
    }
    return { kind: 'text', why: say`the body is not in its Content-Encoding, ${encoding ?? ''}`, lengthBytes };
  }
}

class UnknownEncoding extends Error {
  readonly reason: Sentence;

  constructor(name: string) {
    super();
    this.reason = say`Content-Encoding ${excerpt(name, 40)} is not read`;
  }
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decoder> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: async (bytes, options) => (isZlib(bytes) ? promisify(inflate) : promisify(inflateRaw))(bytes, options),
};

// Some servers leave the frame of zlib out (RFC 9110, section 8.4.1.2).
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

async function decode(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  let decoded = bytes;
  for (const name of names.filter((each) => each !== '' && each !== 'identity').reverse()) {
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decoder === undefined) throw new UnknownEncoding(name);
    decoded = await decoder(decoded, { maxOutputLength });
  }
  return decoded;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(bytes: Buffer): Body {
  const lengthBytes = bytes.length;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'text', why: say`the body is not UTF-8`, lengthBytes };
  }
  try {
    return { kind: 'json', value: JSON.parse(text), lengthBytes };
  } catch {
    return { kind: 'text', why: say`the body is not JSON`, lengthBytes };
  }
}
