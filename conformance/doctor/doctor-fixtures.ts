import type { FileFixture, Settings } from '../config/settings.ts';
import { plural } from '../reporters/text.ts';
import { pathIn, readFile } from '../scene/moves.ts';
import type { Session } from '../session.ts';
import { items, member, whatCame } from '../target/expectations.ts';
import type { Discovered, Finding } from './diagnosis.ts';

/** Disposable files that are enough for a whole run: of one drive, and of another. */
export const enoughDisposableFiles = { ofOneDrive: 13, ofAnother: 1 };

/** Whether the run may write and delete, and in what words. */
export function permissionFindings({ allowWrites, allowDestructive, treePathParameter }: Settings): Finding[] {
  return [
    permission('--allow-writes', allowWrites, 'may create, publish and move', 'may only read'),
    permission('--allow-destructive', allowDestructive, 'may delete disposable files', 'may not delete'),
    permission(
      'openPoints.treePathParameter',
      treePathParameter !== undefined,
      `is ${treePathParameter}, by your word; it cannot be tried safely`,
      'not given: a server that does not know the parameter may delete everything',
    ),
  ];
}

function permission(setting: string, isGiven: boolean, given: string, missing: string): Finding {
  return { setting, state: isGiven ? 'fine' : 'missing', note: isGiven ? given : missing };
}

/** Which fixtures are there, and whether they can be read. */
export async function fixtureFindings(session: Session, agents: readonly Discovered[]): Promise<Finding[]> {
  return [
    agentFinding(session, agents),
    await filesFinding(session),
    await disposableFinding(session),
    await mcpServerFinding(session),
  ];
}

function agentFinding({ settings }: Session, agents: readonly Discovered[]): Finding {
  const setting = 'fixtures.agent';
  const named = settings.fixtures.agent;
  if (named === undefined) return { setting, state: 'missing', note: 'not named' };
  const agent = agents.find(({ id }) => id === named.id);
  if (agent === undefined) return { setting, state: 'wrong', note: `${named.id} is not in the list of agents` };
  const unseen = 'whether the revision is there, only a publication tells';
  if (agent.isPublished === false) return { setting, state: 'fine', note: `listed and not published; ${unseen}` };
  const note = 'listed, but not shown as unpublished: a publication that must not happen would not show';
  return { setting, state: 'partly', note };
}

async function filesFinding(session: Session): Promise<Finding> {
  const setting = 'fixtures.files';
  const { files = [] } = session.settings.fixtures;
  if (files.length === 0) return { setting, state: 'missing', note: 'none named' };
  const { readable, problem } = await readAll(session, files);
  const note = `${readable.length} of ${files.length} can be read`;
  if (problem !== undefined)
    return { setting, state: readable.length === 0 ? 'wrong' : 'partly', note: `${note}; ${problem}` };
  const hasCompany = largestDrive([...files, ...(session.settings.fixtures.disposableFiles ?? [])]) > 1;
  return hasCompany
    ? { setting, state: 'fine', note }
    : { setting, state: 'partly', note: `${note}; two of one drive show more` };
}

async function disposableFinding(session: Session): Promise<Finding> {
  const setting = 'fixtures.disposableFiles';
  const { disposableFiles = [] } = session.settings.fixtures;
  if (disposableFiles.length === 0) return { setting, state: 'missing', note: 'none named' };
  const { readable, problem } = await readAll(session, disposableFiles);
  const counts = countsByDrive(readable);
  const note = `${readable.length} of ${disposableFiles.length} can be read, in ${plural(counts.length, 'drive')}`;
  const { ofOneDrive, ofAnother } = enoughDisposableFiles;
  if (readable.length === 0) return { setting, state: 'wrong', note: `${note}; ${problem}` };
  if (isEnough(counts)) return { setting, state: 'fine', note };
  const wanted = `${ofOneDrive} of one drive and ${ofAnother} of another are enough for a whole run`;
  return { setting, state: 'partly', note: `${note}; ${wanted}` };
}

/**
 * Whether so many disposable files, drive by drive, are enough for a whole run. It takes from the fullest drive, in this
 * order: four for the first tree, and one of another drive; one each for the tree that must stay and the tree by the
 * other header; four times two, of which one comes back; one each for three trees named with dots.
 */
export function isEnough(counts: readonly number[]): boolean {
  const left = counts.toSorted((a, b) => b - a);
  const take = (count: number, back = 0) => {
    left.sort((a, b) => b - a);
    const fullest = left[0] ?? 0;
    left[0] = fullest - count + back;
    return fullest >= count;
  };
  const scene = take(4);
  const elsewhere = (left[1] ?? 0) > 0;
  left[1] = (left[1] ?? 0) - 1;
  const rest = [1, 1, 2, 2, 2, 2, 1, 1, 1].map((count) => take(count, count - 1));
  return [scene, elsewhere, ...rest].every(Boolean);
}

function countsByDrive(files: readonly FileFixture[]): number[] {
  return [...Map.groupBy(files, ({ driveId }) => driveId).values()].map((ofDrive) => ofDrive.length);
}

function largestDrive(files: readonly FileFixture[]): number {
  return Math.max(0, ...countsByDrive(files));
}

const mostRead = 100;

/** Reads files, a bounded number of them, and says of one that cannot be read why. */
async function readAll(
  session: Session,
  files: readonly FileFixture[],
): Promise<{ readable: FileFixture[]; problem: string | undefined }> {
  const readable: FileFixture[] = [];
  let problem: string | undefined;
  for (const file of files.slice(0, mostRead)) {
    const reply = await readFile(session, file);
    if (pathIn(reply) !== undefined) readable.push(file);
    else problem ??= `${file.id} of drive ${file.driveId}: ${reply.isSuccess ? 'it shows no path' : whatCame(reply)}`;
  }
  return { readable: [...readable, ...files.slice(mostRead)], problem };
}

async function mcpServerFinding(session: Session): Promise<Finding> {
  const setting = 'fixtures.mcpServer';
  const named = session.settings.fixtures.mcpServer;
  if (named === undefined) return { setting, state: 'missing', note: 'not named' };
  const reply = await session.call('listMcpServerTools', { path: { mcpServerId: named.id } });
  if (!reply.isSuccess) return { setting, state: 'wrong', note: `its tools: ${whatCame(reply)}` };
  const count = items(member(reply.json, 'tools')).length;
  return count > 0
    ? { setting, state: 'fine', note: `offers ${plural(count, 'tool')}` }
    : { setting, state: 'partly', note: 'offers no tools; one that has some shows more' };
}
