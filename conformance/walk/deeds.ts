// What each kind of step does. To add one: here and in `steps.ts`.
import { type CreateOperation, newBody } from '../probing/creations.ts';
import type { ListOperation } from '../probing/lists.ts';
import { directoryOf, extensionOf } from '../probing/receipt.ts';
import { type Content, encodeName } from '../request-parts.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import type { Kind, Step } from './steps.ts';
import { illegalPages, illegalPathsIn, nameEnds, neighbourEnds, pages, segmentEnds, urls } from './values.ts';
import { ask, callerOf, create, isBelow, move, read, segmentFor, type WalkedFile, type World } from './world.ts';

export const lists = ['listAgents', 'listDrives', 'listMcpServers'] as const satisfies readonly ListOperation[];

type Deed = (world: World, step: Step) => Promise<unknown>;

export const deeds: Readonly<Record<Kind, Deed>> = {
  createDrive: (world, step) => createNamed(world, step, 'createDrive'),
  createMcpServer: (world, step) => createNamed(world, step, 'createMcpServer'),
  list: (world, step) => list(world, step, chosen(lists, step.one), chosen(pages, step.two)),
  tools: async (world, step) => {
    const mcpServerId = chosen(world.servers, step.one);
    if (mcpServerId !== undefined) await ask(world, step, 'listMcpServerTools', { path: { mcpServerId } }, 'own');
  },
  refusedInLists: refuseInLists,
  move: async (world, step) => {
    const file = fileFor(world, step);
    if (file === undefined) return;
    const path = pathFor(world, step, file);
    // A server that takes over the id loses the file.
    const isOdd = file.isDisposable && step.one % 3 === 0;
    const input = isOdd ? { json: { path, ...moreFields(world) } } : {};
    await move(world, step, file, path, input);
    await read(world, step, file);
  },
  place: async (world, step) => {
    const file = fileFor(world, step);
    if (file !== undefined) await place(world, step, file, `${world.base}/tree${step.two % 2}`);
  },
  deleteTree: async (world, step) => {
    if (!world.mayDelete) return;
    const path = treeFor(world, step);
    const tree = path.replace(/\/$/, '');
    const neighbour = world.files.find(({ part, isDisposable }) => part === 'trees' && !isDisposable);
    // Beside a directory of a tree would be in that tree.
    const isTop = !tree.slice(world.base.length + 1).includes('/');
    if (neighbour !== undefined && isTop) await place(world, step, neighbour, tree);
    // Sometimes nothing is there, so that nothing is deleted.
    if (step.one % 3 > 0) await fill(world, step, tree);
    const reply = await remove(world, step, path);
    if (reply.isSuccess) world.deleted.push(tree);
    const isNear = (file: WalkedFile) => file.isDisposable || file === neighbour;
    for (const file of thereIn(world).filter(isNear)) await read(world, step, file);
  },
  read: async (world, step) => {
    const file = fileFor(world, step);
    if (file !== undefined) await read(world, step, file);
  },
  refusedInFiles: refuseInFiles,
};

function chosen<T>(values: readonly [T, ...T[]], number: number): T;
function chosen<T>(values: readonly T[], number: number): T | undefined;
function chosen<T>(values: readonly T[], number: number): T | undefined {
  return values[number % values.length];
}

/** The files that were not deleted. */
function thereIn({ files }: World): WalkedFile[] {
  return files.filter(({ isGone }) => !isGone);
}

/** The file of a step: the same one whatever was deleted meanwhile, as long as it is there itself. */
function fileFor({ files }: World, { part, one }: Step): WalkedFile | undefined {
  const ofPart = files.filter((file) => file.part === part);
  const file = chosen(ofPart, one);
  return file?.isGone ? ofPart.find(({ isGone }) => !isGone) : file;
}

async function createNamed(world: World, step: Step, operation: CreateOperation): Promise<void> {
  const { session, made } = world;
  const known = made[operation];
  const usual = newBody(session, operation);
  const again = known[callerOf(world, step)].at(-1) ?? known.own.at(-1);
  const ofOther = known[callerOf(world, step) === 'own' ? 'other' : 'own'].at(-1);
  const isPlain = session.learned.nameShapes[operation] !== undefined;
  const odd = isPlain ? usual.name : usual.name + chosen(nameEnds, step.two);
  const name = [odd, odd, again?.name, ofOther?.name][step.one % 4] ?? odd;
  const isOdd = step.two % 3 === 0 && session.learned.acceptedUrl === undefined;
  const url = isOdd
    ? chosen(urls, step.one)
    : (session.learned.acceptedUrl ?? (step.one % 5 === 0 ? again?.url : undefined));
  await create(world, step, operation, { name, ...(url && { url }), ...(step.two % 5 === 0 && moreFields(world)) });
  // What it must not have changed.
  await list(world, step, operation === 'createDrive' ? 'listDrives' : 'listMcpServers', 'limit=100&offset=0');
}

/** Fields that no request has: a server refuses or ignores them. */
function moreFields({ made, session }: World): Record<string, unknown> {
  const id = made.createDrive.own[0]?.id ?? session.unknownId();
  return { id, organizationId: session.unknownId(), createdAt: '2001-02-03T04:05:06.000Z', type: session.newName() };
}

export function list(world: World, step: Step, operation: ListOperation, query: string | undefined) {
  return ask(world, step, operation, operation === 'listDrives' && query ? { query } : {});
}

/** A request in the lists that must be refused, and an ordinary one behind it. */
async function refuseInLists(world: World, step: Step): Promise<void> {
  const { session } = world;
  const { name } = newBody(session, 'createDrive');
  const wrong = invalidKey(`nobody-${session.runId}`, step.header);
  const broken: Content = { raw: { body: `{"name": "${name}"`, contentType: 'application/json' } };
  const refused: readonly (() => Promise<unknown>)[] = [
    () => ask(world, step, 'createDrive', { json: { name }, credentials: noKey }),
    () => ask(world, step, 'createMcpServer', { json: newBody(session, 'createMcpServer'), credentials: wrong }),
    () => ask(world, step, 'listDrives', { query: chosen(illegalPages, step.two) ?? '' }),
    () => ask(world, step, 'createDrive', broken),
    () => ask(world, step, 'listMcpServerTools', { path: { mcpServerId: session.unknownId() } }),
    () => ask(world, step, 'listMcpServers', { credentials: noKey }),
  ];
  await chosen(refused, step.one)?.();
  await list(world, step, chosen(lists, step.two), 'limit=100');
}

/** A request for a file or a tree that must be refused, and a reading of what it must not have changed. */
async function refuseInFiles(world: World, step: Step): Promise<void> {
  const { session, base } = world;
  const file = fileFor(world, step);
  if (file === undefined) return;
  const path = `${base}/keep/${segmentFor(world, file, '')}`;
  const wrong = invalidKey(`nobody-${session.runId}`, step.header);
  const illegal = chosen(illegalPathsIn(`${base}/keep`, segmentFor(world, file, '')), step.two) ?? '';
  const gone = world.files.find(({ isGone }) => isGone);
  const theirs = session.settings.foreignResources === 'hidden' && world.callers.includes('other');
  const refused: readonly (() => Promise<unknown>)[] = [
    () => move(world, step, file, path, { credentials: wrong }),
    () => move(world, step, file, path, { credentials: noKey }),
    () => move(world, step, file, illegal),
    async () => world.mayDelete && remove(world, step, `${base}/tree0/../tree1`),
    async () => theirs && move(world, step, file, path, { credentials: world.session.other }),
    () => ask(world, step, 'getDriveFile', { path: { driveId: file.driveId, fileId: session.unknownId() } }),
    async () => gone && (await move(world, step, gone, path)) && read(world, step, gone),
  ];
  await chosen(refused, step.one)?.();
  await read(world, step, file);
}

/** Where a file goes: again, back, home, to where another one was, into a deleted tree, deeper, or somewhere new. */
function pathFor(world: World, { one, two }: Step, file: WalkedFile): string {
  const { base, deleted } = world;
  const segment = segmentFor(world, file, world.isPlain ? '' : (chosen(segmentEnds, two) ?? ''));
  const somewhere = `${base}/keep/${segment}`;
  const tree = file.isDisposable ? deleted.at(-1) : undefined;
  // Two files at one path: the second may replace the first (`pathConflict`).
  const other = file.isDisposable ? chosen(world.files, one) : undefined;
  const left = other?.isDisposable ? other.paths.at(-2) : undefined;
  const places = [
    somewhere,
    left,
    file.paths.at(-1),
    file.paths.at(-2) ?? file.originalPath,
    tree === undefined ? undefined : `${tree}/${segment}`,
    `${base}/keep/a/b/${segment}`,
    `${directoryOf(file.originalPath)}/${segmentFor(world, file, '')}`,
  ];
  return places[two % places.length] ?? somewhere;
}

/** A tree that holds only disposable files: again, the one around it, below, or one that was not deleted yet. */
function treeFor({ base, deleted }: World, { one, two }: Step): string {
  const tree = `${base}/tree${two % 2}`;
  const last = deleted.at(-1);
  return [tree, `${tree}/`, last?.replace(/\/a$/, ''), `${tree}/a`, last][one % 5] ?? tree;
}

/** Moves a file to a tree that will be deleted: a disposable one into it, any other one beside it. */
async function place(world: World, step: Step, file: WalkedFile, tree: string): Promise<void> {
  const name = segmentFor(world, file, '');
  const extension = extensionOf(file.originalPath);
  const isOfStem = step.one % 3 === 0 && extension !== '' && ownerOf(world, tree + extension, file) === file;
  const beside = isOfStem ? tree + extension : `${tree}${chosen(neighbourEnds, step.two)}/${name}`;
  const below = `${tree}${chosen(['', '/a', '/a/b'], step.two)}/${name}`;
  await move(world, step, file, file.isDisposable ? below : beside);
}

/** The first file for which a path was meant: another one there might be replaced (`pathConflict`). */
function ownerOf({ owners }: World, path: string, file: WalkedFile): WalkedFile {
  const owner = owners.get(path) ?? file;
  owners.set(path, owner);
  return owner;
}

/** The drive in which trees are deleted. */
function drive({ files }: World): { driveId: string } {
  return files.find(({ isDisposable }) => isDisposable) ?? files[0] ?? { driveId: '' };
}

/** Moves a disposable file into a tree, unless one is there. */
async function fill(world: World, step: Step, tree: string): Promise<void> {
  const free = world.files.filter(({ isDisposable, isGone }) => isDisposable && !isGone);
  const [file] = free;
  if (file === undefined || free.some(({ paths }) => isBelow(tree, paths.at(-1)))) return;
  await move(world, step, file, `${tree}/${segmentFor(world, file, '')}`);
}

function remove(world: World, step: Step, path: string) {
  const { driveId } = drive(world);
  const query = `${encodeName(world.session.requireDestruction())}=${encodeURIComponent(path)}`;
  return ask(world, step, 'deleteDriveTree', { path: { driveId }, query }, 'own');
}
