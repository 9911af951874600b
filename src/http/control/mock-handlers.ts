import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import type { OpenPoint } from '../../../openapi/contract/open-points.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import { type OrganizationSnapshot, type Snapshot, toOrganizationSnapshot } from '../../domain/snapshot.ts';
import { validateSnapshot } from '../../domain/snapshot-rules.ts';
import type { Resident } from '../../domain/store.ts';
import { refuseInput } from '../../engine/problem.ts';
import { type ControlContext, type ControlHandler, done, organizationInQuery } from './control.ts';
import { showOrganization } from './organization-handlers.ts';

export const getHealth: ControlHandler = (_, { engine }) =>
  done({ status: 'healthy', organizations: engine.store.residents.length });

export const getVersion: ControlHandler = (_, { engine, version }) =>
  done({ version, contract: engine.contract.info.version });

export const reset: ControlHandler = (input, context) => {
  const resident = organizationInQuery(input, context);
  if (resident === undefined) return resetAll(context);
  if ('refused' in resident) return resident;
  const { id } = resident.organization;
  // First: a call that a fault holds up still belongs to the state of before.
  context.faults.held.letGo(({ organizationId }) => organizationId === id);
  const fresh = context.engine.resetOrganization(resident);
  if (isRefusal(fresh)) return fresh;
  context.faults.clear(id);
  context.journal?.clear({ organizationId: id });
  return done({ organizations: [showOrganization(context.engine.store.resident(fresh.id) as Resident)] });
};

function resetAll({ engine, journal, faults }: ControlContext) {
  faults.clear();
  engine.reset();
  journal?.clear();
  return done({ organizations: engine.store.residents.map(showOrganization) });
}

export const getSnapshot: ControlHandler = (input, context) => {
  const resident = organizationInQuery(input, context);
  if (resident === undefined) return done(context.engine.snapshot());
  return 'refused' in resident ? resident : done(toOrganizationSnapshot(resident));
};

export const putSnapshot: ControlHandler = (input, context) => {
  const resident = organizationInQuery(input, context);
  if (resident !== undefined && isRefusal(resident)) return resident;
  return resident === undefined ? putAll(input.body, context) : putOne(input.body, resident, context);
};

function putAll(body: unknown, { engine, faults }: ControlContext) {
  if (!isWhole(body))
    return refuse('invalidInput', 'This is the snapshot of one organization: add ?organization=<id>.');
  const violations = validateSnapshot(body.organizations, body.revokedKeys);
  if (violations.length > 0) return refuseInput(violations);
  faults.held.letGo(() => true);
  engine.restore(body);
  return done({ organizations: engine.store.residents.map(showOrganization) });
}

function putOne(body: unknown, resident: Resident, { engine, faults }: ControlContext) {
  if (isWhole(body)) return refuse('invalidInput', 'This is a snapshot of the whole state: leave ?organization= away.');
  const snapshot = body as OrganizationSnapshot;
  if (snapshot.id !== resident.organization.id) {
    return refuse('conflict', `This is a snapshot of the organization ${snapshot.id}, not of this one.`);
  }
  if (engine.store.isTaken(snapshot.keys, resident))
    return refuse('conflict', 'Another organization has one of its keys by now.');
  const violations = validateSnapshot([snapshot], []);
  if (violations.length > 0) return refuseInput(violations);
  faults.held.letGo(({ organizationId }) => organizationId === snapshot.id);
  engine.restoreOrganization(snapshot);
  return done({ organizations: [showOrganization(engine.store.resident(snapshot.id) as Resident)] });
}

function isWhole(body: unknown): body is Snapshot {
  return typeof body === 'object' && body !== null && 'organizations' in body;
}

export const getOpenPoints: ControlHandler = ({ query }, { engine }) => {
  const { operation } = query;
  const isMeant = ({ operations }: OpenPoint) => operation === undefined || operations.some((id) => id === operation);
  const points = loadOpenPoints().filter(isMeant);
  if (points.length === 0)
    return refuse('notFound', 'No open point bears on this operation, or there is none of this name.');
  return done(points.map((point) => ledgerEntry(point, engine.world.profile)));
};

function ledgerEntry(point: OpenPoint, profile: Profile) {
  const { id, open, loudness, operations, choices, range, question } = point;
  const now = profile[id as keyof Profile];
  return {
    ...{ id, open, loudness, operations, now, isDefault: now === point.default },
    alsoLegal: choices.filter(({ value }) => value !== now),
    ...(range === undefined ? {} : { range }),
    question,
  };
}
