import { own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { plural } from '../../reporting/text.ts';
import type { FileFixture, Settings } from '../config/settings.ts';
import { pathIn, readFile } from '../probing/file-moves.ts';
import type { Session } from '../session.ts';
import { describeReply, items, member } from '../target/expectations.ts';
import type { Discovered, RawFinding } from './diagnosis.ts';

/** Disposable files that are enough for a whole run: of one drive, and of another. */
export const enoughDisposableFiles = { ofOneDrive: 13, ofAnother: 1 };

/** Whether the run may write and delete. */
export function permissionFindings({ allowWrites, allowDestructive, treePathParameter }: Settings): RawFinding[] {
  const finding = (setting: string, isGiven: boolean, given: Sentence, missing: Sentence): RawFinding => {
    return isGiven ? { setting, state: 'fine', note: given } : { setting, state: 'missing', note: missing };
  };
  return [
    finding('--allow-writes', allowWrites, say`may create, publish and move`, say`may only read`),
    finding('--allow-destructive', allowDestructive, say`may delete disposable files`, say`may not delete`),
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
  return ['partly', say`listed, but not as unpublished, so a forbidden publication would not be visible`];
}

async function filesState(session: Session): Promise<[State, Sentence]> {
  const { files = [], disposableFiles = [] } = session.settings.fixtures;
  if (files.length === 0) return ['missing', say`none declared`];
  const { readable, problem } = await readAll(session, files);
  const note = say`${readable.length} of ${files.length} can be read`;
  if (problem !== undefined) return [readable.length === 0 ? 'wrong' : 'partly', say`${note}; ${problem}`];
  if (Math.max(...countsByDrive([...files, ...disposableFiles])) > 1) return ['fine', note];
  return ['partly', say`${note}; two files of one drive show more`];
}

async function disposableState(session: Session): Promise<[State, Sentence]> {
  const { disposableFiles = [] } = session.settings.fixtures;
  if (disposableFiles.length === 0) return ['missing', say`none declared`];
  const { readable, problem } = await readAll(session, disposableFiles);
  const counts = countsByDrive(readable);
  const note = say`${readable.length} of ${disposableFiles.length} can be read, in ${own(plural(counts.length, 'drive'))}`;
  if (readable.length === 0) return ['wrong', say`${note}; ${problem ?? ''}`];
  if (isEnough(counts)) return ['fine', note];
  const { ofOneDrive, ofAnother } = enoughDisposableFiles;
  return ['partly', say`${note}; a whole run needs ${ofOneDrive} of one drive and ${ofAnother} of another`];
}

/**
 * Whether so many disposable files, drive by drive, are enough for a whole run. A run takes from the fullest drive, in this
 * order: four for the first tree, and one of another drive; one each for the guard tree and the tree by the other header;
 * four times two, of which one comes back; one each for three trees with dots in their names.
 */
export function isEnough(counts: readonly number[]): boolean {
  const left = counts.toSorted((a, b) => b - a);
  const take = (count: number, back = 0) => {
    left.sort((a, b) => b - a);
    const fullest = left[0] ?? 0;
    left[0] = fullest - count + back;
    return fullest >= count;
  };
  const firstTree = take(4);
  const inOtherDrive = (left[1] ?? 0) > 0;
  left[1] = (left[1] ?? 0) - 1;
  const rest = [1, 1, 2, 2, 2, 2, 1, 1, 1].map((count) => take(count, count - 1));
  return [firstTree, inOtherDrive, ...rest].every(Boolean);
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
    const reason = reply.isSuccess ? say`it shows no path` : describeReply(reply);
    if (pathIn(reply) !== undefined) readable.push(file);
    else problem ??= say`${file.id} of drive ${file.driveId}: ${reason}`;
  }
  return { readable: [...readable, ...files.slice(mostRead)], problem };
}

async function mcpServerState(session: Session): Promise<[State, Sentence]> {
  const declared = session.settings.fixtures.mcpServer;
  if (declared === undefined) return ['missing', say`not declared`];
  const reply = await session.call('listMcpServerTools', { path: { mcpServerId: declared.id } });
  if (!reply.isSuccess) return ['wrong', say`listing its tools: ${describeReply(reply)}`];
  const count = items(member(reply.json, 'tools')).length;
  if (count > 0) return ['fine', say`offers ${own(plural(count, 'tool'))}`];
  return ['partly', say`offers no tools; a server with tools shows more`];
}
