import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';

const BODY_LIMIT = 1024 * 1024;

/** The request target, decoded. */
export interface Target {
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'The address holds a wrong percent-encoding');
  }
}

function parsePair(pair: string): readonly [string, string] {
  // Form encoding: a plus sign means a blank, as URLSearchParams writes it.
  const text = pair.replaceAll('+', ' ');
  const end = text.indexOf('=');
  return end < 0 ? [decode(text), ''] : [decode(text.slice(0, end)), decode(text.slice(end + 1))];
}

/** Splits before it decodes: an encoded slash belongs to its segment. */
export function parseTarget(url: string): Target {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  const pairs = mark < 0 ? [] : local.slice(mark + 1).split('&');
  const query = pairs.filter((pair) => pair !== '').map(parsePair);
  return { segments: path.split('/').slice(1).map(decode), query };
}

/**
 * Reads the whole body, but keeps no more than the limit. A longer body is read to its end before
 * it is refused: a client that still writes would otherwise see a reset instead of the answer.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : undefined;
}

/** Reads bytes as a JSON object; undefined when they are not JSON in UTF-8. */
export function parseJson(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}
