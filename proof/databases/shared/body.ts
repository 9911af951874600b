import type { IncomingMessage } from 'node:http';
import { invalid, Refusal } from './refusal.ts';

const limitBytes = 1_048_576;

/** The object in the body of a request. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json')
    throw new Refusal(415, 'the body must be application/json');
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('the body must be an object');
  return body as Record<string, unknown>;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= limitBytes) chunks.push(chunk);
  }
  if (length > limitBytes) throw new Refusal(413, 'the body is too large');
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
}
