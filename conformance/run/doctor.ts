// `conformance doctor`: looks at a target and finds out which settings a check of it lacks.
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { pathIn, readFile } from '../probing/files.ts';
import { countTools, notAnObjectWithTools } from '../probing/fixtures.ts';
import { type ListOperation, readList } from '../probing/lists.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { isPlenty, type Stock } from '../probing/placed-files.ts';
import { originalPathComplaint } from '../safety/receipt.ts';
import type { AuthHeaderName, Credentials } from '../target/credentials.ts';
import { describeReply, idOf, items, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { inSession, type Session } from '../target/session.ts';
import { type NeedName, needs } from './needs.ts';
import { reach } from './reach.ts';
import { type FileFixture, requireSettings, type Settings } from './settings.ts';
import { Inconclusive, orNone, Stopped } from './signals.ts';
import { stoppedEarly } from './stopped-early.ts';

/** The result of one of the two safe requests that need no data, with the key in either header. */
interface AuthHeaderFinding {
  request: string;
  header: string;
  bearer: string;
}

/** A resource in a list that a config can declare. */
export interface Discovered {
  id: string;
  name: string;
  isPublished?: boolean;
}

/** What is known about one setting. `partly`: useful, but incomplete. `unknown`: reading does not show it. */
export interface Finding {
  /** A place in the config, or a flag. */
  setting: string;
  state: 'fine' | 'partly' | 'missing' | 'wrong' | 'unknown';
  note: string;
}

/** A finding that is not redacted yet. */
type RawFinding = Omit<Finding, 'note'> & { note: Sentence };

/** What safe requests show about a target. */
export interface Diagnosis {
  authHeaders: AuthHeaderFinding[];
  /** The header that works, if only one does. */
  onlyAuthHeader: AuthHeaderName | undefined;
  findings: Finding[];
  /** The data that the target lacks. */
  absent: NeedName[];
  agents: Discovered[];
  drives: Discovered[];
  mcpServers: Discovered[];
  /** The id of one of the first MCP servers that offers tools. */
  serverWithTools: string | undefined;
}

/** What the lists of one organization show. */
interface Lists {
  agents: readonly Discovered[];
  drives: readonly Discovered[];
  mcpServers: readonly Discovered[];
}

/**
 * The data that checks need and that the target lacks. What a run with these settings creates before such a check is
 * not lacking. `other`: the lists of the second organization, if there is one.
 */
function absentData({ allowWrites, fixtures }: Settings, own: Lists, other: Lists | undefined): NeedName[] {
  const agents = own.agents.filter(({ id }) => id !== fixtures.agent?.id);
  const isAbsent: Partial<Record<NeedName, boolean>> = { secondAgent: agents.length === 0 };
  if (other !== undefined) {
    const isEmpty = other.drives.length + other.mcpServers.length === 0;
    const lacks = (list: keyof Lists) => other[list].length === 0 || (own[list].length === 0 && !allowWrites);
    isAbsent.agentsOfBoth = own.agents.length === 0 || other.agents.length === 0;
    isAbsent.drivesOfBoth = lacks('drives') && !(isEmpty && allowWrites);
    isAbsent.mcpServersOfBoth = lacks('mcpServers');
    isAbsent.otherMcpServer = other.mcpServers.length === 0 && !allowWrites;
  }
  return (Object.keys(needs) as NeedName[]).filter((name) => isAbsent[name]);
}

/** Enough disposable files for a whole run: in one drive, and in another. */
export const enoughDisposableFiles = { ofOneDrive: 13, ofAnother: 1 };

/** Enough in one drive that the last tree has more than ten. */
const enoughForBatches = 25;

/** Whether the run may write and delete. */
function permissionFindings({ allowWrites, allowDestructive, treePathParameter }: Settings): RawFinding[] {
  const finding = (setting: string, isGiven: boolean, given: Sentence, missing: Sentence): RawFinding => {
    return isGiven ? { setting, state: 'fine', note: given } : { setting, state: 'missing', note: missing };
  };
  return [
    finding(
      '--allow-writes',
      allowWrites,
      say`may create, publish and move`,
      say`without it, the suite must change nothing`,
    ),
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
async function fixtureFindings(session: Session, agents: readonly Discovered[]): Promise<RawFinding[]> {
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
  return ['fine', counts.length > 1 ? note : say`${note}; one file in each of the other drives enables more checks`];
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
  return ['partly', say`${note}; a full run needs ${ofOneDrive} in one drive and ${ofAnother} in another`];
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

/** Examines a target, its lists and the fixtures, with safe requests only. Throws a `SuiteError` if nothing responds. */
export async function diagnose(settings: Settings, tool: string, signal?: AbortSignal): Promise<Diagnosis> {
  requireSettings(settings);
  const readOnly = { ...settings, allowWrites: false, allowDestructive: false };
  return inSession(readOnly, { tool, signal, reason: say`it was interrupted` }, async (session) => {
    try {
      const diagnosis = await examine(session, settings);
      const { stopReason } = session.target;
      if (stopReason !== undefined) throw new Stopped(stopReason);
      return diagnosis;
    } catch (error) {
      throw stoppedEarly(error, 'The doctor was stopped', session);
    }
  });
}

async function examine(session: Session, settings: Settings): Promise<Diagnosis> {
  const { redact } = session;
  const { byHeader, byBearer } = await reach(session);
  const lists = await discoverAll(session, session.own);
  const { agents, drives, mcpServers } = lists;
  const otherKey = await otherKeyFinding(session);
  const others = otherKey.state === 'fine' ? await discoverAll(session, session.other) : undefined;
  const absent = absentData(settings, lists, others);
  const findings = [
    ...permissionFindings(settings),
    otherKey,
    ...(await fixtureFindings(session, agents)),
    ...absent.map((name): RawFinding => {
      return { setting: needs[name].setting, state: 'missing', note: say`needs ${own(needs[name].what)}` };
    }),
  ];
  const serverWithTools = await findServerWithTools(session, mcpServers);
  const shown = ({ id, name, ...rest }: Discovered) => ({ ...rest, id: redact(id), name: redact(name) });
  return {
    authHeaders: byHeader.map((reply, index) => toAuthHeaderFinding(session, reply, byBearer[index])),
    onlyAuthHeader: onlyAuthHeader(byHeader, byBearer),
    findings: findings.map((finding) => ({ ...finding, note: finding.note.shown(redact) })),
    absent,
    agents: agents.map(shown),
    drives: drives.map(shown),
    mcpServers: mcpServers.map(shown),
    serverWithTools: serverWithTools === undefined ? undefined : redact(serverWithTools),
  };
}

function toAuthHeaderFinding(session: Session, byHeader: Reply, byBearer: Reply | undefined): AuthHeaderFinding {
  const { operation, method } = byHeader.request;
  const describe = (reply: Reply) => (reply.isSuccess ? say`works (${reply.status})` : describeReply(reply));
  return {
    request: `${method} ${session.operations.get(operation)?.path}`,
    header: describe(byHeader).shown(session.redact),
    bearer: byBearer === undefined ? 'not sent' : describe(byBearer).shown(session.redact),
  };
}

function onlyAuthHeader(byHeader: readonly Reply[], byBearer: readonly Reply[]): Diagnosis['onlyAuthHeader'] {
  const [header, bearer] = [byHeader, byBearer].map((replies) => replies.some(({ isSuccess }) => isSuccess));
  if (header === bearer) return undefined;
  return header ? 'header' : 'bearer';
}

async function discoverAll(session: Session, credentials: Credentials): Promise<Lists> {
  return {
    agents: await discover(session, 'listAgents', credentials),
    drives: await discover(session, 'listDrives', credentials),
    mcpServers: await discover(session, 'listMcpServers', credentials),
  };
}

async function discover(session: Session, list: ListOperation, credentials: Credentials): Promise<Discovered[]> {
  const listing = await orNone(readList(session, list, credentials));
  return (listing?.items ?? []).flatMap((item) => {
    const id = idOf(item);
    const isPublished = member(item, 'isPublished');
    if (id === undefined) return [];
    const found = { id, name: String(member(item, 'name') ?? '') };
    return [typeof isPublished === 'boolean' ? { ...found, isPublished } : found];
  });
}

const mostServers = 5;

async function findServerWithTools(session: Session, servers: readonly Discovered[]): Promise<string | undefined> {
  for (const { id } of servers.slice(0, mostServers)) {
    const reply = await session.call('listMcpServerTools', { path: { mcpServerId: id } });
    if (reply.isSuccess && items(member(reply.json, 'tools')).length > 0) return id;
  }
  return undefined;
}

async function otherKeyFinding(session: Session): Promise<RawFinding> {
  const finding = (state: RawFinding['state'], note: Sentence): RawFinding => ({ setting: 'otherApiKey', state, note });
  if (session.settings.otherApiKey === undefined) return finding('missing', say`not given`);
  try {
    await requireOtherOrganization(session);
    return finding('fine', say`is the key of another organization`);
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    if (error.code !== 'WRITES') return finding('wrong', error.reason);
    const note = say`Reading alone does not show whether it belongs to another organization: one of the two has no data. A run with --allow-writes creates a drive in each to find out.`;
    return finding('unknown', note);
  }
}
