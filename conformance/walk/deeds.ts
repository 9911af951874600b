// What each kind of step does. To add one: here and in `steps.ts`.
import { type CreateOperation, newBody } from '../probing/creations.ts';
import type { ListOperation } from '../probing/lists.ts';
import { directoryOf, extensionOf } from '../safety/receipt.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import { type Content, encodeName } from '../target/request-parts.ts';
import { ask, callerOf, create, isBelow, move, read, type Scene, segmentFor, type WalkedFile } from './scene.ts';
import type { Kind, Step } from './steps.ts';
import { illegalPages, illegalPathsIn, nameEnds, neighbourEnds, pages, segmentEnds, urls } from './values.ts';

export const lists = ['listAgents', 'listDrives', 'listMcpServers'] as const satisfies readonly ListOperation[];

type Deed = (scene: Scene, step: Step) => Promise<unknown>;

export const deeds: Readonly<Record<Kind, Deed>> = {
  createDrive: (scene, step) => createNamed(scene, step, 'createDrive'),
  createMcpServer: (scene, step) => createNamed(scene, step, 'createMcpServer'),
  list: (scene, step) => list(scene, step, chosen(lists, step.one), chosen(pages, step.two)),
  tools: async (scene, step) => {
    const mcpServerId = chosen(scene.servers, step.one);
    if (mcpServerId !== undefined) await ask(scene, step, 'listMcpServerTools', { path: { mcpServerId } }, 'own');
  },
  refusedInLists: refuseInLists,
  move: async (scene, step) => {
    const file = fileFor(scene, step);
    if (file === undefined) return;
    const path = pathFor(scene, step, file);
    // A server that takes over the id loses the file.
    const isOdd = file.isDisposable && step.one % 3 === 0;
    const input = isOdd ? { json: { path, ...moreFields(scene) } } : {};
    await move(scene, step, file, path, input);
    await read(scene, step, file);
  },
  place: async (scene, step) => {
    const file = fileFor(scene, step);
    if (file !== undefined) await place(scene, step, file, `${scene.base}/tree${step.two % 2}`);
  },
  deleteTree: async (scene, step) => {
    if (!scene.mayDelete) return;
    const path = treeFor(scene, step);
    const tree = path.replace(/\/$/, '');
    const neighbour = scene.files.find(({ part, isDisposable }) => part === 'trees' && !isDisposable);
    // Beside a directory of a tree would be in that tree.
    const isTop = !tree.slice(scene.base.length + 1).includes('/');
    if (neighbour !== undefined && isTop) await place(scene, step, neighbour, tree);
    // Sometimes nothing is there, so that nothing is deleted.
    if (step.one % 3 > 0) await fill(scene, step, tree);
    const reply = await remove(scene, step, path);
    if (reply.isSuccess) scene.deleted.push(tree);
    const isNear = (file: WalkedFile) => file.isDisposable || file === neighbour;
    for (const file of thereIn(scene).filter(isNear)) await read(scene, step, file);
  },
  read: async (scene, step) => {
    const file = fileFor(scene, step);
    if (file !== undefined) await read(scene, step, file);
  },
  refusedInFiles: refuseInFiles,
};

function chosen<T>(values: readonly [T, ...T[]], number: number): T;
function chosen<T>(values: readonly T[], number: number): T | undefined;
function chosen<T>(values: readonly T[], number: number): T | undefined {
  return values[number % values.length];
}

/** The files that were not deleted. */
function thereIn({ files }: Scene): WalkedFile[] {
  return files.filter(({ isGone }) => !isGone);
}

/** The file of a step: the same one whatever was deleted meanwhile, as long as it is there itself. */
function fileFor({ files }: Scene, { part, one }: Step): WalkedFile | undefined {
  const ofPart = files.filter((file) => file.part === part);
  const file = chosen(ofPart, one);
  return file?.isGone ? ofPart.find(({ isGone }) => !isGone) : file;
}

async function createNamed(scene: Scene, step: Step, operation: CreateOperation): Promise<void> {
  const { session, made } = scene;
  const known = made[operation];
  const usual = newBody(session, operation);
  const again = known[callerOf(scene, step)].at(-1) ?? known.own.at(-1);
  const ofOther = known[callerOf(scene, step) === 'own' ? 'other' : 'own'].at(-1);
  const isPlain = session.learned.nameShapes[operation] !== undefined;
  const odd = isPlain ? usual.name : usual.name + chosen(nameEnds, step.two);
  const name = [odd, odd, again?.name, ofOther?.name][step.one % 4] ?? odd;
  const isOdd = step.two % 3 === 0 && session.learned.acceptedUrl === undefined;
  const url = isOdd
    ? chosen(urls, step.one)
    : (session.learned.acceptedUrl ?? (step.one % 5 === 0 ? again?.url : undefined));
  await create(scene, step, operation, { name, ...(url && { url }), ...(step.two % 5 === 0 && moreFields(scene)) });
  // What it must not have changed.
  await list(scene, step, operation === 'createDrive' ? 'listDrives' : 'listMcpServers', 'limit=100&offset=0');
}

/** Fields that no request has: a server refuses or ignores them. */
function moreFields({ made, session }: Scene): Record<string, unknown> {
  const id = made.createDrive.own[0]?.id ?? session.unknownId();
  return { id, organizationId: session.unknownId(), createdAt: '2001-02-03T04:05:06.000Z', type: session.newName() };
}

export function list(scene: Scene, step: Step, operation: ListOperation, query: string | undefined) {
  return ask(scene, step, operation, operation === 'listDrives' && query ? { query } : {});
}

/** A request in the lists that must be refused, and an ordinary one behind it. */
async function refuseInLists(scene: Scene, step: Step): Promise<void> {
  const { session } = scene;
  const { name } = newBody(session, 'createDrive');
  const wrong = invalidKey(`nobody-${session.runId}`, step.header);
  const broken: Content = { raw: { body: `{"name": "${name}"`, contentType: 'application/json' } };
  const refused: readonly (() => Promise<unknown>)[] = [
    () => ask(scene, step, 'createDrive', { json: { name }, credentials: noKey }),
    () => ask(scene, step, 'createMcpServer', { json: newBody(session, 'createMcpServer'), credentials: wrong }),
    () => ask(scene, step, 'listDrives', { query: chosen(illegalPages, step.two) ?? '' }),
    () => ask(scene, step, 'createDrive', broken),
    () => ask(scene, step, 'listMcpServerTools', { path: { mcpServerId: session.unknownId() } }),
    () => ask(scene, step, 'listMcpServers', { credentials: noKey }),
  ];
  await chosen(refused, step.one)?.();
  await list(scene, step, chosen(lists, step.two), 'limit=100');
}

/** A request for a file or a tree that must be refused, and a reading of what it must not have changed. */
async function refuseInFiles(scene: Scene, step: Step): Promise<void> {
  const { session, base } = scene;
  const file = fileFor(scene, step);
  if (file === undefined) return;
  const path = `${base}/keep/${segmentFor(scene, file, '')}`;
  const wrong = invalidKey(`nobody-${session.runId}`, step.header);
  const illegal = chosen(illegalPathsIn(`${base}/keep`, segmentFor(scene, file, '')), step.two) ?? '';
  const gone = scene.files.find(({ isGone }) => isGone);
  const theirs = session.settings.foreignResources === 'hidden' && scene.callers.includes('other');
  const refused: readonly (() => Promise<unknown>)[] = [
    () => move(scene, step, file, path, { credentials: wrong }),
    () => move(scene, step, file, path, { credentials: noKey }),
    () => move(scene, step, file, illegal),
    async () => scene.mayDelete && remove(scene, step, `${base}/tree0/../tree1`),
    async () => theirs && move(scene, step, file, path, { credentials: scene.session.other }),
    () => ask(scene, step, 'getDriveFile', { path: { driveId: file.driveId, fileId: session.unknownId() } }),
    async () => gone && (await move(scene, step, gone, path)) && read(scene, step, gone),
  ];
  await chosen(refused, step.one)?.();
  await read(scene, step, file);
}

/** Where a file goes: again, back, home, to where another one was, into a deleted tree, deeper, or somewhere new. */
function pathFor(scene: Scene, { one, two }: Step, file: WalkedFile): string {
  const { base, deleted } = scene;
  const segment = segmentFor(scene, file, scene.isPlain ? '' : (chosen(segmentEnds, two) ?? ''));
  const somewhere = `${base}/keep/${segment}`;
  const tree = file.isDisposable ? deleted.at(-1) : undefined;
  // Two files at one path: the second may replace the first (`pathConflict`).
  const other = file.isDisposable ? chosen(scene.files, one) : undefined;
  const left = other?.isDisposable ? other.paths.at(-2) : undefined;
  const places = [
    somewhere,
    left,
    file.paths.at(-1),
    file.paths.at(-2) ?? file.originalPath,
    tree === undefined ? undefined : `${tree}/${segment}`,
    `${base}/keep/a/b/${segment}`,
    `${directoryOf(file.originalPath)}/${segmentFor(scene, file, '')}`,
  ];
  return places[two % places.length] ?? somewhere;
}

/** A tree that holds only disposable files: again, the one around it, below, or one that was not deleted yet. */
function treeFor({ base, deleted }: Scene, { one, two }: Step): string {
  const tree = `${base}/tree${two % 2}`;
  const last = deleted.at(-1);
  return [tree, `${tree}/`, last?.replace(/\/a$/, ''), `${tree}/a`, last][one % 5] ?? tree;
}

/** Moves a file to a tree that will be deleted: a disposable one into it, any other one beside it. */
async function place(scene: Scene, step: Step, file: WalkedFile, tree: string): Promise<void> {
  const name = segmentFor(scene, file, '');
  const extension = extensionOf(file.originalPath);
  const isOfStem = step.one % 3 === 0 && extension !== '' && ownerOf(scene, tree + extension, file) === file;
  const beside = isOfStem ? tree + extension : `${tree}${chosen(neighbourEnds, step.two)}/${name}`;
  const below = `${tree}${chosen(['', '/a', '/a/b'], step.two)}/${name}`;
  await move(scene, step, file, file.isDisposable ? below : beside);
}

/** The first file for which a path was meant: another one there might be replaced (`pathConflict`). */
function ownerOf({ owners }: Scene, path: string, file: WalkedFile): WalkedFile {
  const owner = owners.get(path) ?? file;
  owners.set(path, owner);
  return owner;
}

/** The drive in which trees are deleted. */
function drive({ files }: Scene): { driveId: string } {
  return files.find(({ isDisposable }) => isDisposable) ?? files[0] ?? { driveId: '' };
}

/** Moves a disposable file into a tree, unless one is there. */
async function fill(scene: Scene, step: Step, tree: string): Promise<void> {
  const free = scene.files.filter(({ isDisposable, isGone }) => isDisposable && !isGone);
  const [file] = free;
  if (file === undefined || free.some(({ paths }) => isBelow(tree, paths.at(-1)))) return;
  await move(scene, step, file, `${tree}/${segmentFor(scene, file, '')}`);
}

function remove(scene: Scene, step: Step, path: string) {
  const { driveId } = drive(scene);
  const query = `${encodeName(scene.session.requireDestruction())}=${encodeURIComponent(path)}`;
  return ask(scene, step, 'deleteDriveTree', { path: { driveId }, query }, 'own');
}
