import { placeOf } from '../../../lib/place.ts';
import type { OpenPointId } from '../../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../../openapi/points/index.ts';
import type { OpenPoint } from '../../../openapi/points/open-point.ts';
import { isRefusal, located, refuse } from '../../domain/refusal.ts';
import { validateOrganization, validateSnapshot } from '../../domain/relations.ts';
import { type OrganizationSnapshot, type Snapshot, toOrganizationSnapshot } from '../../domain/snapshot.ts';
import type { Sandbox } from '../../domain/store.ts';
import { toSeed } from '../../domain/to-seed.ts';
import { validateSeed } from '../../domain/validate-seed.ts';
import { refuseInput } from '../../engine/input.ts';
import { profileOf, unusableChoices } from '../settings.ts';
import { type ControlContext, type ControlHandler, done, forScope } from './control.ts';
import { showOrganization, showOrganizations } from './organization-handlers.ts';
import type { ShownOpenPoint } from './shown-open-point.ts';

/** The mock as a whole: health, version, reset, snapshots, open points. */
export const stateHandlers = {
  getHealth: (_, { engine }) => done({ status: 'healthy', organizations: engine.store.sandboxes.length }),

  getVersion: (_, { engine, version }) => done({ version, contract: engine.contract.info.version }),

  reset: forScope((sandbox, _, context) => (sandbox === undefined ? resetAll(context) : resetOne(sandbox, context))),

  getSnapshot: forScope((sandbox, _, { engine }) =>
    done(sandbox === undefined ? engine.snapshot() : toOrganizationSnapshot(sandbox)),
  ),

  getSeed: forScope((sandbox, _, { engine }) => {
    const ofSeed = engine.store.sandboxes.filter(({ origin }) => origin.kind === 'seed');
    const seed = toSeed(sandbox === undefined ? ofSeed : [sandbox]);
    const violations = validateSeed(seed).map(({ location, message }) => `${placeOf(location)} ${message}`);
    if (violations.length === 0) return done(seed);
    return refuse('conflict', `A seed cannot hold this state: ${violations.slice(0, 20).join('; ')}.`);
  }),

  putSnapshot: forScope((sandbox, { body }, context) =>
    sandbox === undefined ? putAll(body, context) : putOne(body, sandbox, context),
  ),

  getOpenPoints: forScope((sandbox, { query }, context) => {
    const { operation } = query;
    const isSelected = ({ operations }: OpenPoint) =>
      operation === undefined || operations.some((id) => id === operation);
    const points = loadOpenPoints().filter(isSelected);
    return done(points.map((point) => showOpenPoint(point, sandbox, context)));
  }),
} satisfies Record<string, ControlHandler>;

function resetAll(context: ControlContext) {
  context.faults.reset();
  context.engine.reset();
  context.requestLog?.clear();
  return done(showOrganizations(context));
}

function resetOne(sandbox: Sandbox, context: ControlContext) {
  const { engine, faults, requestLog } = context;
  const { id } = sandbox.organization;
  // This comes first: a call that a fault delays still belongs to the state before the reset.
  faults.held.letGo(({ organizationId }) => organizationId === id);
  const fresh = engine.resetOrganization(sandbox);
  if (isRefusal(fresh)) return fresh;
  faults.forget(id);
  requestLog?.clear(({ organizationId }) => organizationId === id);
  return done({ organizations: [showOrganization(engine.store.sandbox(fresh.id) as Sandbox, context)] });
}

function putAll(body: unknown, context: ControlContext) {
  if (!isWhole(body))
    return refuse('invalidInput', 'This is the snapshot of one organization: add ?organization=<id>.');
  const violations = validateSnapshot(body);
  if (violations.length > 0) return refuseInput(located(['body'], violations));
  context.faults.held.letGo(() => true);
  context.engine.restore(body);
  context.faults.forgetGone();
  return done(showOrganizations(context));
}

function putOne(body: unknown, sandbox: Sandbox, context: ControlContext) {
  const { engine, faults } = context;
  if (isWhole(body)) return refuse('invalidInput', 'This is a snapshot of the whole state: remove ?organization=.');
  const snapshot = body as OrganizationSnapshot;
  if (snapshot.id !== sandbox.organization.id)
    return refuse('conflict', `This is a snapshot of the organization ${snapshot.id}, not of this one.`);
  if (engine.store.isTaken(snapshot.keys, sandbox))
    return refuse('conflict', 'Another organization now has one of the keys in this snapshot. Revoke it there first.');
  const violations = validateOrganization(snapshot);
  if (violations.length > 0) return refuseInput(located(['body'], violations));
  faults.held.letGo(({ organizationId }) => organizationId === snapshot.id);
  engine.restoreOrganization(snapshot);
  return done({ organizations: [showOrganization(engine.store.sandbox(snapshot.id) as Sandbox, context)] });
}

function isWhole(body: unknown): body is Snapshot {
  return typeof body === 'object' && body !== null && 'organizations' in body;
}

/** An open point as used by one organization or, if undefined, by all without their own profile. */
function showOpenPoint(
  point: OpenPoint,
  sandbox: Sandbox | undefined,
  context: Pick<ControlContext, 'engine' | 'hasLiveMcp'>,
): ShownOpenPoint {
  const { seen: _, choices, ...shown } = point;
  const now = profileOf(context.engine, sandbox)[point.id as OpenPointId];
  const isIdle = point.needs === 'liveMcp' && !context.hasLiveMcp;
  return {
    ...shown,
    ...{ now, isDefault: now === point.default },
    choices: choices.map((choice) => {
      const [violation] = unusableChoices({ [point.id]: choice.value }, sandbox, context);
      return violation === undefined ? choice : { ...choice, refused: violation.message };
    }),
    alsoLegal: choices.filter(({ value }) => value !== now),
    ...(isIdle && { withoutEffect: contactsNobody }),
  };
}

const contactsNobody =
  'has no effect, because this mock contacts no MCP servers; start it with --live-mcp to allow that';
