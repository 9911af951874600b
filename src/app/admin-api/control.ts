import { authHeadersOf, keyHeaders } from '../../../openapi/contract/security.ts';
import type { Organization } from '../../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import { timeFields } from '../../domain/resources.ts';
import type { Sandbox, Store } from '../../domain/store.ts';
import type { RequestHeaders } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ValidInput } from '../../engine/input.ts';
import type { Impact } from '../draw-profile.ts';
import type { Digest } from '../edge/answer-call.ts';
import type { Faults } from '../faults/faults.ts';
import type { MockRequestLog } from '../request-log.ts';
import type { Changes } from './changes.ts';

/** What the admin API of a mock works on. */
export interface ControlContext {
  engine: Engine;
  requestLog: MockRequestLog | undefined;
  faults: Faults;
  /** Whether MCP servers may be contacted. */
  hasLiveMcp: boolean;
  /** The version of the package. */
  version: string;
  /** Whether Authorization holds the token of the admin API. */
  hasToken: boolean;
  /** Which open points were drawn at startup; undefined if none were. */
  vary: Impact | undefined;
  digest: Digest;
  changes: Changes;
}

/** One request to an admin API. */
export interface ControlRequest {
  method: string;
  /** Path and query, with the prefix. */
  target: string;
  headers: RequestHeaders;
  body: Uint8Array | undefined;
  /** The origin by which the client addresses this server, such as `http://127.0.0.1:4010`. */
  origin: string;
  /** Whether it came from this machine. */
  isLocal: boolean;
}

/** The valid input of one request. */
export interface ControlInput extends ValidInput {
  headers: RequestHeaders;
  /** Whether the operation changes nothing. */
  isRead: boolean;
}

/** Takes a piece of a stream; bytes may be shared with other streams. */
export type WritePiece = (piece: string | Uint8Array) => void;

/** The response of the admin API: JSON, nothing, or a stream of texts. */
export interface ControlAnswer {
  status: number;
  body?: unknown;
  /** Starts to write. The returned function stops it. */
  stream?: (write: WritePiece) => () => void;
}

/** Performs one operation of an admin API. An error response changes nothing. */
export type ControlHandler<Context = ControlContext> = (
  input: ControlInput,
  context: Context,
) => ControlAnswer | Refusal;

export function done(body: unknown, status = 200): ControlAnswer {
  return { status, body };
}

export const gone: ControlAnswer = { status: 204 };

type ForSandbox<T> = (sandbox: T, input: ControlInput, context: ControlContext) => ControlAnswer | Refusal;

/** Creates a handler for the organization in the path. */
export function forSandbox(act: ForSandbox<Sandbox>): ControlHandler {
  return (input, context) => {
    const sandbox = findSandbox(input.path.organizationId ?? '', input, context);
    if (isRefusal(sandbox)) return sandbox;
    const result = act(sandbox, input, context);
    if (!input.isRead && !isRefusal(result)) sandbox.organization.isWritten = true;
    return result;
  };
}

type OnRecord = ControlInput & { organization: Organization };

/** Creates handlers for one record of the organization in the path. */
export function forRecord<T>(missing: string, find: (organization: Organization, path: ControlInput['path']) => T) {
  return (act: (record: NonNullable<T>, on: OnRecord) => ControlAnswer | Refusal): ControlHandler =>
    forSandbox(({ organization }, input) => {
      const record = find(organization, input.path);
      return record ? act(record, { ...input, organization }) : refuse('notFound', missing);
    });
}

/** Creates a handler for the organization in `?organization=`; undefined means all. */
export function forScope(act: ForSandbox<Sandbox | undefined>): ControlHandler {
  return (input, context) => {
    const { organization, operation } = input.query;
    if (operation !== undefined && !context.engine.operations.some(({ operationId }) => operationId === operation))
      return refuse(
        'invalidInput',
        `query.operation is not an operation of the contract; GET /openapi.json lists them.`,
      );
    const sandbox = organization === undefined ? undefined : findSandbox(String(organization), input, context);
    return sandbox !== undefined && isRefusal(sandbox) ? sandbox : act(sandbox, input, context);
  };
}

/** An organization by id, by name, or, as `self`, by the API key of the request. */
export function findSandbox(named: string, { headers }: ControlInput, context: ControlContext): Sandbox | Refusal {
  if (named === 'self') return findSelf(headers, context);
  const list = 'GET /__admin/organizations';
  return onlyNamed(context.engine.store, named, `List them with ${list}.`, `Send an id: ${list} lists them.`);
}

/** The only organization with an id or a name. The remedies are for none and for several. */
export function onlyNamed(store: Store, named: string, forNone: string, forSeveral: string): Sandbox | Refusal {
  const [sandbox, ...others] = store.named(named);
  const shown = JSON.stringify(named);
  if (sandbox === undefined) return refuse('notFound', `No organization ${shown}. ${forNone}`);
  if (others.length === 0) return sandbox;
  return refuse('conflict', `${others.length + 1} organizations have the name ${shown}. ${forSeveral}`);
}

// A header for keys alone comes first: the other may hold the admin token.
function findSelf(headers: RequestHeaders, { engine, hasToken }: ControlContext): Sandbox | Refusal {
  const own = authHeadersOf(engine.contract).filter(({ scheme, header }) => scheme === 'plain' && header in headers);
  if (own.length === 0 && hasToken)
    return refuse(
      'unauthenticated',
      `The request has no API key. With an admin token, send the key as ${keyHeaders[0]}.`,
    );
  const keys = Object.fromEntries(own.map(({ header }) => [header, headers[header]]));
  const organization = engine.authenticate(own.length === 0 ? headers : keys);
  return isRefusal(organization) ? organization : (engine.store.sandbox(organization.id) as Sandbox);
}

/** What new records of an organization are created with. They are created now. */
export function makerOf({ ids, runtime }: Organization) {
  return { ids, runtime, madeAtMs: runtime.clock.nowMs() };
}

/** The part of a list that `limit` and `offset` ask for. */
export function partOf<T>(all: Iterable<T>, { limit = Infinity, offset = 0 }: ControlInput['query']): T[] {
  return [...all].slice(Number(offset), Number(offset) + Number(limit));
}

/** A record with the fields that were sent: null removes a field; times are stored in milliseconds. */
export function withChanges<T extends object>(record: T, sent: object): T {
  const changed = { ...record } as Record<string, unknown>;
  for (const [name, value] of Object.entries(sent)) {
    const field = timeFields.get(name) ?? name;
    if (value === null) delete changed[field];
    else changed[field] = field === name ? value : Date.parse(String(value));
  }
  return changed as T;
}
