import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import type { OpenPoint } from '../../../openapi/contract/open-points.ts';
import { placeOf } from '../../../openapi/contract/place.ts';
import { isRefusal, located, refuse } from '../../domain/refusal.ts';
import { validateOrganization, validateSnapshot } from '../../domain/relations.ts';
import { type OrganizationSnapshot, type Snapshot, toOrganizationSnapshot } from '../../domain/snapshot.ts';
import type { Tenant } from '../../domain/store.ts';
import { toSeed } from '../../domain/to-seed.ts';
import { validateSeed } from '../../domain/validate-seed.ts';
import { refuseInput } from '../../engine/problem.ts';
import { factsOf } from '../journal/entry.ts';
import { type ControlContext, type ControlHandler, done, forScope } from './control.ts';
import { showOrganization, showOrganizations } from './organization-handlers.ts';
import { showOpenPoint } from './shown-open-point.ts';

/** The mock as a whole: health, version, reset, snapshots, open points. */
export const stateHandlers = {
  getHealth: (_, { engine }) => done({ status: 'healthy', organizations: engine.store.tenants.length }),

  getVersion: (_, { engine, version }) => done({ version, contract: engine.contract.info.version }),

  reset: forScope((tenant, _, context) => (tenant === undefined ? resetAll(context) : resetOne(tenant, context))),

  getSnapshot: forScope((tenant, _, { engine }) =>
    done(tenant === undefined ? engine.snapshot() : toOrganizationSnapshot(tenant)),
  ),

  getSeed: forScope((tenant, _, { engine }) => {
    const ofSeed = engine.store.tenants.filter(({ origin }) => origin.kind === 'seed');
    const seed = toSeed(tenant === undefined ? ofSeed : [tenant]);
    const violations = validateSeed(seed).map(({ location, message }) => `${placeOf(location)} ${message}`);
    if (violations.length === 0) return done(seed);
    return refuse('conflict', `A seed cannot hold this state: ${violations.slice(0, 20).join('; ')}.`);
  }),

  putSnapshot: forScope((tenant, { body }, context) =>
    tenant === undefined ? putAll(body, context) : putOne(body, tenant, context),
  ),

  getOpenPoints: forScope((tenant, { query }, context) => {
    const { operation } = query;
    const isSelected = ({ operations }: OpenPoint) =>
      operation === undefined || operations.some((id) => id === operation);
    const points = loadOpenPoints().filter(isSelected);
    if (points.length === 0) return refuse('notFound', 'No open point affects this operation, or it does not exist.');
    return done(points.map((point) => showOpenPoint(point, tenant, context)));
  }),
} satisfies Record<string, ControlHandler>;

function resetAll(context: ControlContext) {
  context.faults.reset();
  context.engine.reset();
  context.journal?.clear();
  return done(showOrganizations(context));
}

function resetOne(tenant: Tenant, context: ControlContext) {
  const { engine, faults, journal } = context;
  const { id } = tenant.organization;
  // First: a call that a fault delays still belongs to the state before the reset.
  faults.held.letGo(({ organizationId }) => organizationId === id);
  const fresh = engine.resetOrganization(tenant);
  if (isRefusal(fresh)) return fresh;
  faults.clear(id);
  journal?.clear((record) => factsOf(record).organizationId === id);
  return done({ organizations: [showOrganization(engine.store.tenant(fresh.id) as Tenant, context)] });
}

function putAll(body: unknown, context: ControlContext) {
  if (!isWhole(body))
    return refuse('invalidInput', 'This is the snapshot of one organization: add ?organization=<id>.');
  const violations = validateSnapshot(body);
  if (violations.length > 0) return refuseInput(located(['body'], violations));
  context.faults.held.letGo(() => true);
  context.engine.restore(body);
  return done(showOrganizations(context));
}

function putOne(body: unknown, tenant: Tenant, context: ControlContext) {
  const { engine, faults } = context;
  if (isWhole(body)) return refuse('invalidInput', 'This is a snapshot of the whole state: remove ?organization=.');
  const snapshot = body as OrganizationSnapshot;
  if (snapshot.id !== tenant.organization.id)
    return refuse('conflict', `This is a snapshot of the organization ${snapshot.id}, not of this one.`);
  if (engine.store.isTaken(snapshot.keys, tenant))
    return refuse('conflict', 'Another organization now has one of its keys.');
  const violations = validateOrganization(snapshot);
  if (violations.length > 0) return refuseInput(located(['body'], violations));
  faults.held.letGo(({ organizationId }) => organizationId === snapshot.id);
  engine.restoreOrganization(snapshot);
  return done({ organizations: [showOrganization(engine.store.tenant(snapshot.id) as Tenant, context)] });
}

function isWhole(body: unknown): body is Snapshot {
  return typeof body === 'object' && body !== null && 'organizations' in body;
}
