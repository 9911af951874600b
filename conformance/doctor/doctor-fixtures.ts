import { own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import type { FileFixture, Settings } from '../config/settings.ts';
import { pathIn, readFile } from '../probing/file-moves.ts';
import { originalPathComplaint } from '../probing/movable-file.ts';
import { isPlenty, type Stock } from '../probing/placed-files.ts';
import { countTools, notAnObjectWithTools } from '../probing/shown-tools.ts';
import type { Session } from '../session.ts';
import { describeReply } from '../target/expectations.ts';
import type { Discovered, RawFinding } from './diagnosis.ts';

/** Enough disposable files for a whole run: in one drive, and in another. */
export const enoughDisposableFiles = { ofOneDrive: 13, ofAnother: 1 };

/** Enough in one drive that the last tree has more than ten. */
const enoughForBatches = 25;

/** Whether the run may write and delete. */
export function permissionFindings({ allowWrites, allowDestructive, treePathParameter }: Settings): RawFinding[] {
  const finding = (setting: string, isGiven: boolean, given: Sentence, missing: Sentence): RawFinding => {
    return isGiven ? { setting, state: 'fine', note: given } : { setting, state: 'missing', note: missing };
  };
  return [
    finding('--allow-writes', allowWrites, say`may create, publish and move`, say`without it, the suite may only read`),
    finding(
      '--allow-destructive',
      allowDestructive,
      say`may delete disposable files`,
      say`without it, the suite may not delete`,
    ),
    finding(
      'openPoints.treePathParameter',
      treePathParameter !== undefined,
      say`is ${treePathParameter ?? ''}, as declared; it cannot be tried safely`,
      say`not given: a server that ignores the parameter may delete everything`,
    ),
  ];
}

type State = RawFinding['state'];

/** Which fixtures are declared, and whether they can be read. */
export async function fixtureFindings(session: Session, agents: readonly Discovered[]): Promise<RawFinding[]> {
  const findings: [string, readonly [State, Sentence]][] = [
    ['agent', agentState(session, agents)],
    ['files', await filesState(session)],
    ['disposableFiles', await disposableState(session)],
    ['mcpServer', await mcpServerState(session)],
  ];
  return findings.map(([name, [state, note]]) => ({ setting: `fixtures.${name}`, state, note }));
}

function agentState({ settings }: Session, agents: readonly Discovered[]): [State, Sentence] {
  const declared = settings.fixtures.agent;
  if (declared === undefined) return ['missing', say`not declared`];
  const agent = agents.find(({ id }) => id === declared.id);
  if (agent === undefined) return ['wrong', say`${declared.id} is not in the list of agents`];
  if (agent.isPublished === false)
    return ['fine', say`listed as unpublished; only a publication can show whether the revision exists`];
  return ['partly', say`listed, but not with isPublished false, so a forbidden publication would not be visible`];
}

async function filesState(session: Session): Promise<[State, Sentence]> {
  const { files = [], disposableFiles = [] } = session.settings.fixtures;
  if (files.length === 0) return ['missing', say`none declared`];
  const { readable, problem } = await readAll(session, files);
  const note = say`${readable.length} of ${files.length} can be read`;
  if (problem !== undefined) return [readable.length === 0 ? 'wrong' : 'partly', say`${note}; ${problem}`];
  const counts = countsByDrive([...files, ...disposableFiles]);
  if (Math.max(...counts) < 2) return ['partly', say`${note}; two files of one drive enable more checks`];
  return ['fine', counts.length > 1 ? note : say`${note}; one file of every other drive enables more checks`];
}

async function disposableState(session: Session): Promise<[State, Sentence]> {
  const { files = [], disposableFiles = [] } = session.settings.fixtures;
  if (disposableFiles.length === 0) return ['missing', say`none declared`];
  const { readable, problem } = await readAll(session, disposableFiles);
  const counts = countsByDrive(readable);
  const drives = [...Map.groupBy(readable, ({ driveId }) => driveId)].map(([driveId, ofDrive]) => ({
    disposable: ofDrive.length,
    movable: files.filter((file) => file.driveId === driveId).length,
  }));
  const note = say`${readable.length} of ${disposableFiles.length} can be read, in ${own(plural(counts.length, 'drive'))}`;
  if (readable.length === 0) return ['wrong', say`${note}; ${problem ?? ''}`];
  if (isEnough(drives)) {
    const isDeep = Math.max(...counts) >= enoughForBatches;
    return [
      'fine',
      isDeep
        ? note
        : say`${note}; ${enoughForBatches} of one drive would also reveal a deletion that stops after ten files`,
    ];
  }
  const { ofOneDrive, ofAnother } = enoughDisposableFiles;
  return ['partly', say`${note}; a whole run needs ${ofOneDrive} of one drive and ${ofAnother} of another`];
}

/** What the trees of a run use in turn: files that are deleted, disposable ones that come back, any that come back. */
const trees: readonly { deleted: number; back: number; standing: number; isLarge?: true }[] = [
  // The first tree has two files and later a third; three stand by.
  { deleted: 3, back: 0, standing: 3 },
  // The guard stays in use.
  { deleted: 1, back: 0, standing: 0 },
  { deleted: 1, back: 0, standing: 0 },
  { deleted: 1, back: 5, standing: 1 },
  { deleted: 1, back: 1, standing: 2 },
  { deleted: 1, back: 0, standing: 3 },
  { deleted: 1, back: 0, standing: 2 },
  { deleted: 1, back: 0, standing: 2 },
  { deleted: 1, back: 0, standing: 0 },
  { deleted: 2, back: 0, standing: 0, isLarge: true },
];

/** Whether these numbers of files per drive are enough for a whole run. */
export function isEnough(drives: readonly Stock[]): boolean {
  const left = drives.map((drive) => ({ ...drive }));
  const bySize = () => left.sort((a, b) => b.disposable - a.disposable);
  const inOtherDrive = (bySize()[1]?.disposable ?? 0) > 0;
  const taken = trees.map(({ deleted, back, standing, isLarge = false }) => {
    const needed = { disposable: deleted + back, standing };
    const sparing = isLarge ? undefined : bySize().findLast((drive) => isPlenty(drive, needed));
    const [fullest = { disposable: 0, movable: 0 }] = bySize();
    const drive = sparing ?? fullest;
    const { disposable, movable } = drive;
    drive.disposable -= deleted;
    return disposable >= deleted + back && disposable + movable >= deleted + back + standing;
  });
  return inOtherDrive && taken.every(Boolean);
}

function countsByDrive(files: readonly FileFixture[]): number[] {
  return [...Map.groupBy(files, ({ driveId }) => driveId).values()].map((ofDrive) => ofDrive.length);
}

const mostRead = 100;

/** Reads a bounded number of files. Returns the readable ones, and why the first unreadable one cannot be read. */
async function readAll(
  session: Session,
  files: readonly FileFixture[],
): Promise<{ readable: FileFixture[]; problem: Sentence | undefined }> {
  const readable: FileFixture[] = [];
  let problem: Sentence | undefined;
  for (const file of files.slice(0, mostRead)) {
    const reply = await readFile(session, file);
    const path = pathIn(reply);
    const complaint = path === undefined ? undefined : originalPathComplaint(path);
    const shown = complaint === undefined ? say`it shows no path` : say`its path ${own(complaint)}, so it is not moved`;
    const reason = reply.isSuccess ? shown : describeReply(reply);
    if (path !== undefined && complaint === undefined) readable.push(file);
    else problem ??= say`${file.id} of drive ${file.driveId}: ${reason}`;
  }
  return { readable: [...readable, ...files.slice(mostRead)], problem };
}

async function mcpServerState(session: Session): Promise<[State, Sentence]> {
  const declared = session.settings.fixtures.mcpServer;
  if (declared === undefined) return ['missing', say`not declared`];
  const reply = await session.call('listMcpServerTools', { path: { mcpServerId: declared.id } });
  if (!reply.isSuccess) return ['wrong', say`listing its tools: ${describeReply(reply)}`];
  const count = countTools(reply);
  if (count === undefined) return ['partly', notAnObjectWithTools];
  if (count > 0) return ['fine', say`offers ${own(plural(count, 'tool'))}`];
  return ['partly', say`offers no tools; a server with tools enables more`];
}
