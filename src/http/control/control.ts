import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Refusal } from '../../domain/refusal.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Resident } from '../../domain/store.ts';
import type { Loudness } from '../../engine/draw-profile.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Faults } from '../faults/faults.ts';
import type { Journal } from '../journal/journal.ts';

/** What the control plane works on. */
export interface ControlContext {
  engine: Engine;
  journal: Journal | undefined;
  faults: Faults;
  /** Whether MCP servers may be contacted. */
  hasLiveMcp: boolean;
  /** The version of the package, for `GET version`. */
  version: string;
  /** Whether Authorization holds the token of the control plane. */
  hasToken: boolean;
  /** Which open points were drawn at the start; undefined when none were. */
  vary: Loudness | undefined;
}

/** The valid input of one request. */
export interface ControlInput {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number>>;
  body: unknown;
  headers: IncomingHttpHeaders;
}

/** What the control plane answers: JSON, nothing, or a stream that it goes on writing. */
export interface ControlAnswer {
  status: number;
  body?: unknown;
  stream?: (response: ServerResponse) => void;
}

/** Carries out one operation of the control plane. A refusal changes nothing. */
export type ControlHandler = (input: ControlInput, context: ControlContext) => ControlAnswer | Refusal;

export function done(body: unknown, status = 200): ControlAnswer {
  return { status, body };
}

export const gone: ControlAnswer = { status: 204 };

/** The organization that a path or a query names: by id, by name, or as `self` by the API key of the request. */
export function findOrganization(
  named: string,
  { headers }: ControlInput,
  context: ControlContext,
): Resident | Refusal {
  const { store } = context.engine;
  if (named === 'self') return findSelf(headers, context);
  const byName = () => store.residents.filter(({ organization }) => organization.name === named);
  const found = store.resident(named) ?? byName()[0];
  return found ?? refuse('notFound', `There is no organization ${JSON.stringify(named)}. GET organizations lists all.`);
}

function findSelf(headers: IncomingHttpHeaders, { engine, hasToken }: ControlContext): Resident | Refusal {
  const key = headers['x-api-key'];
  if (key === undefined && hasToken)
    return refuse('unauthenticated', 'No API key came with the request. Beside a token it is sent as X-API-Key.');
  const organization = engine.authenticate(key === undefined ? headers : { 'x-api-key': key });
  if ('refused' in organization) return organization;
  return engine.store.resident(organization.id) as Resident;
}

/** The organization of `?organization=`; undefined when there is none in the query. */
export function organizationInQuery(input: ControlInput, context: ControlContext): Resident | Refusal | undefined {
  const { organization } = input.query;
  return organization === undefined ? undefined : findOrganization(String(organization), input, context);
}
