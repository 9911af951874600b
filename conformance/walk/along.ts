// Carries out steps with new things, waits, and looks at everything.

import type { Whose } from '../probing/creations.ts';
import { movableFile } from '../probing/files.ts';
import { mcpServerIds } from '../probing/fixtures.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { availableFiles } from '../probing/placed-files.ts';
import { inParallel } from '../run/once.ts';
import { orNone } from '../run/signals.ts';
import type { MovableFile } from '../safety/receipt.ts';
import { currentClock } from '../target/clock.ts';
import type { Session } from '../target/session.ts';
import { deeds, list, lists } from './deeds.ts';
import { mostMade, mostRequests, mostWalked } from './limits.ts';
import { ask, read, type Scene, type WalkedFile } from './scene.ts';
import { type Part, parts, type Step, type Steps } from './steps.ts';

/**
 * Carries out steps with new things, waits until all changes must be visible, and looks at everything. `isEnough`: whether the
 * steps have shown what was asked for, so that neither the wait nor the look is needed.
 */
export async function walkAlong(session: Session, steps: Steps, isEnough = () => false): Promise<Scene> {
  const scene = await newScene(session);
  const looks = 2 * (looksAt(scene, 'header').length + mostServers);
  scene.left.requests = Math.max(0, mostRequests(session.settings) - looks);
  await inParallel(parts, (part) => walkPart(scene, steps[part]));
  if (isEnough()) return scene;
  await rest(scene);
  scene.left.requests = Number.POSITIVE_INFINITY;
  await lookAtAll(scene, 'header');
  await lookAtAll(scene, 'bearer');
  return scene;
}

async function newScene(session: Session): Promise<Scene> {
  const { settings } = session;
  const callers: Whose[] = (await isTwo(session)) ? ['own', 'other'] : ['own'];
  const files = await filesFor(session);
  return {
    ...{ session, base: `/${session.newName()}`, files, callers },
    made: { createDrive: { own: [], other: [] }, createMcpServer: { own: [], other: [] } },
    left: { createDrive: { ...mostMade }, createMcpServer: { ...mostMade }, requests: Number.POSITIVE_INFINITY },
    servers: (await orNone(mcpServerIds(session)))?.slice(0, 2) ?? [],
    ...{ deleted: [], sent: [], owners: new Map() },
    isPlain: session.learned.nameShapes.createDrive !== undefined,
    mayDelete: settings.allowDestructive && settings.treePathParameter !== undefined && files.length > 0,
  };
}

async function isTwo(session: Session): Promise<boolean> {
  if (session.settings.otherApiKey === undefined) return false;
  return (await orNone(requireOtherOrganization(session).then(() => true))) === true;
}

/** Files that stay, of several drives, and others of one drive that may be deleted. */
async function filesFor(session: Session): Promise<WalkedFile[]> {
  const { allowWrites, allowDestructive, fixtures } = session.settings;
  if (!allowWrites) return [];
  const located = await Promise.all((fixtures.files ?? []).map((_, index) => orNone(movableFile(session, index))));
  const stay = located.filter((file) => file !== undefined).slice(0, mostWalked.stay);
  const disposable = allowDestructive ? ((await orNone(availableFiles(session))) ?? []) : [];
  const isThere = ({ driveId, id }: MovableFile) => session.receipt.find('deletedFile', id, driveId) === undefined;
  const left = disposable.filter(isThere);
  const { driveId } = left.find((file) => file.driveId === stay[0]?.driveId) ?? left[0] ?? {};
  const go = left.filter((file) => file.driveId === driveId).slice(0, mostWalked.go);
  // One of the files that stay is put beside the trees.
  const neighbour = stay.findLast((file) => file.driveId === driveId);
  const toWalked = (file: MovableFile, part: Part, isDisposable: boolean): WalkedFile => {
    return { ...file, part, isDisposable, paths: [], isGone: false };
  };
  return [
    ...stay.map((file) => toWalked(file, file === neighbour && stay.length > 1 ? 'trees' : 'moves', false)),
    ...go.map((file) => toWalked(file, 'trees', true)),
  ];
}

const mostFailures = 3;
/** The tools of so many MCP servers are looked at. */
const mostServers = 3;

async function walkPart(scene: Scene, steps: readonly Step[]): Promise<void> {
  let failures = 0;
  for (const group of groupsOf(steps)) {
    if (scene.left.requests === 0) return;
    await inParallel(group, (step) => orNone(deeds[step.kind](scene, step)));
    failures += scene.sent.slice(-group.length).filter(({ reply }) => reply.failure !== undefined).length;
    // A target that hangs is not made to wait again and again.
    if (failures >= mostFailures) return;
  }
}

/** Steps that are sent at the same time. */
function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.isBeside && last !== undefined) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Waits until every change that was asked for must be visible. */
async function rest({ session, sent }: Scene): Promise<void> {
  const asksForChanges = sent.some(({ reply }) => reply.request.method !== 'GET');
  if (asksForChanges) await currentClock().sleep(session.settings.settleMs);
}

export async function lookAtAll(scene: Scene, header: Step['header']): Promise<void> {
  await inParallel(looksAt(scene, header), (look) => orNone(look()));
}

/** Readings of everything that steps may have changed. */
function looksAt(scene: Scene, header: Step['header']): (() => Promise<unknown>)[] {
  const step: Step = { part: 'lists', kind: 'list', by: 'own', header, one: 0, two: 0, isBeside: false };
  const asEach = (work: (step: Step) => Promise<unknown>) => scene.callers.map((by) => () => work({ ...step, by }));
  return [
    ...lists.flatMap((operation) => asEach((each) => list(scene, each, operation, 'limit=100&offset=0'))),
    ...scene.files.map((file) => () => read(scene, step, file)),
    ...scene.servers
      .slice(-3)
      .map((mcpServerId) => () => ask(scene, step, 'listMcpServerTools', { path: { mcpServerId } }, 'own')),
  ];
}
