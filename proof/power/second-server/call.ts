import type { Sandbox } from './sandbox.ts';

/** One authenticated request to an operation. */
export interface Call {
  readonly sandbox: Sandbox;
  readonly organizationId: string;
  readonly now: number;
  /** The ids in the path, in their order. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}

/** What an operation answers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Ends a request with a 4xx answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const PATH_PATTERN = /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/;

const JSON_TYPE = /^\s*application\/json\s*(?:;.*)?$/i;

/** The body as an object. The odd variant takes JSON under any content type. */
export function objectBody(call: Call): Record<string, unknown> {
  const { variant, refusal } = call.sandbox.choices;
  if (variant === 'plain' && !JSON_TYPE.test(call.contentType)) {
    throw new Refusal(refusal.badMediaType, 'The content type must be application/json');
  }
  const value = parseJson(call);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Refusal(refusal.badBody, 'The body must be a JSON object');
}

function parseJson({ body, sandbox }: Call): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal(sandbox.choices.refusal.badJson, 'The body is not JSON');
  }
}

/**
 * A string field of the body. No field is said to be required: the odd variant takes the fallback
 * for an absent one, the plain variant refuses.
 */
export function stringField<T>(call: Call, body: Record<string, unknown>, name: string, fallback: T): string | T {
  const { variant, refusal } = call.sandbox.choices;
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value === 'string') return value;
  if (value === undefined && variant === 'odd') return fallback;
  throw new Refusal(refusal.badBody, `The field ${name} must be a string`);
}

/**
 * The pattern alone lets `/..` and `/../x` pass (after the first slash its lookahead asks for one
 * more slash), but the words forbid every `..` segment: both rules are kept.
 */
export function checkPath(call: Call, path: string): string {
  if (PATH_PATTERN.test(path) && !path.split('/').includes('..')) return path;
  throw new Refusal(call.sandbox.choices.refusal.badPath, 'The path must start with / and hold no .. segment');
}

/** The value of a query parameter; of a repeated one the last. */
export function queryValue(call: Call, name: string): string | undefined {
  return call.query.getAll(name).at(-1);
}

/** An integer query parameter between two bounds. */
export function integerValue(call: Call, name: string, bounds: readonly [number, number], fallback: number): number {
  const text = queryValue(call, name);
  if (text === undefined) return fallback;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  const [least, most] = bounds;
  if (value >= least && value <= most) return value;
  throw new Refusal(call.sandbox.choices.refusal.badPage, `${name} must be an integer in its bounds`);
}
