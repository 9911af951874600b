import { placeOf } from '../shared/state-parts.ts';
import type { AgentRecord, DriveRecord, FileRecord, FileStatus, ServerRecord } from './record-types.ts';

/** One line of a tree; it can be opened if it has children. */
export interface TreeNode {
  /** Where it is in its organization: `/drives/<id>/files/<id>`, as in admin API paths. */
  place: string;
  label: string;
  /** Short words beside the label. */
  marks?: readonly Mark[];
  /** Missing: it cannot be opened. */
  children?: readonly TreeNode[];
  /** Whether it has no record: a directory. */
  isGroup?: boolean;
  isOpenAtFirst?: boolean;
}

export interface Mark {
  text: string;
  kind: 'plain' | 'good' | 'warn' | 'bad';
}

/** One visible line of a tree, with what a screen reader says about it. */
export interface TreeRow {
  node: TreeNode;
  level: number;
  positionInSet: number;
  setSize: number;
  /** Undefined: it cannot be opened. */
  isOpen: boolean | undefined;
}

/** The lines of a tree, from top to bottom, without those below closed ones. */
export function rowsOf(nodes: readonly TreeNode[], isOpen: (node: TreeNode) => boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (siblings: readonly TreeNode[], level: number) => {
    for (const [index, node] of siblings.entries()) {
      const isOpened = node.children && isOpen(node);
      rows.push({ node, level, positionInSet: index + 1, setSize: siblings.length, isOpen: isOpened });
      if (isOpened) add(node.children ?? [], level + 1);
    }
  };
  add(nodes, 1);
  return rows;
}

/** The index of a line's parent; -1 at the top. */
export function parentIndex(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  return rows.slice(0, index).findLastIndex((row) => row.level < level);
}

/** Nodes whose label or whose children match a text. */
export function matching(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const wanted = text.toLowerCase();
  return nodes.flatMap((node) => {
    if (node.label.toLowerCase().includes(wanted)) return [node];
    const children = matching(node.children ?? [], text);
    return children.length === 0 ? [] : [{ ...node, children, isOpenAtFirst: true }];
  });
}

export function agentNodes(agents: readonly AgentRecord[]): TreeNode[] {
  return agents.map(({ id, name, revisions, activeRevisionId, hasChanges }) => ({
    place: placeOf('agents', id),
    label: shown(name),
    marks: [
      ...(activeRevisionId === undefined ? [] : [{ text: 'published', kind: 'good' } as const]),
      ...(hasChanges ? [{ text: 'has changes', kind: 'warn' } as const] : []),
    ],
    children: revisions.map((revision, index) => ({
      place: placeOf('agents', id, 'revisions', revision.id),
      label: `Revision ${index + 1}, ${timeWords(revision.createdAt)}`,
      marks: revision.id === activeRevisionId ? [{ text: 'published', kind: 'good' }] : [],
    })),
  }));
}

export function serverNodes(servers: readonly ServerRecord[]): TreeNode[] {
  return servers.map(({ id, name, tools, toolsProblem }) => ({
    place: placeOf('mcp-servers', id),
    label: shown(name),
    marks: [
      { text: countWords(tools.length, 'tool'), kind: 'plain' },
      ...(toolsProblem === undefined ? [] : [{ text: 'problem', kind: 'bad' } as const]),
    ],
    children: tools.map((tool, index) => ({
      place: placeOf('mcp-servers', id, 'tools', String(index)),
      label: shown(tool.name),
    })),
  }));
}

/** Drives with their directories and files, if these are loaded. */
export function driveNodes(
  drives: readonly DriveRecord[],
  filesOf: (driveId: string) => readonly FileRecord[] | undefined,
): TreeNode[] {
  return drives.map(({ id, name, holds }) => {
    const files = filesOf(id);
    return {
      place: placeOf('drives', id),
      label: shown(name),
      marks: [{ text: countWords(files?.length ?? holds.files, 'file'), kind: 'plain' }],
      children: files === undefined ? [] : fileNodes(id, files),
    };
  });
}

interface Directory {
  directories: Map<string, Directory>;
  files: FileRecord[];
}

const newDirectory = (): Directory => ({ directories: new Map(), files: [] });

// Larger drives start with closed directories.
const mostOpenAtFirst = 200;

function fileNodes(driveId: string, files: readonly FileRecord[]): TreeNode[] {
  const root = newDirectory();
  for (const file of files) directoryOf(root, file).files.push(file);
  return nodesIn(root, driveId, '', files.length <= mostOpenAtFirst);
}

function directoryOf(root: Directory, { path }: FileRecord): Directory {
  let directory = root;
  for (const name of path.split('/').slice(1, -1)) {
    const next = directory.directories.get(name) ?? newDirectory();
    directory.directories.set(name, next);
    directory = next;
  }
  return directory;
}

function nodesIn({ directories, files }: Directory, driveId: string, path: string, isOpenAtFirst: boolean): TreeNode[] {
  const below = [...directories].sort(byName).map(([name, directory]): TreeNode => {
    const own = `${path}/${name}`;
    const children = nodesIn(directory, driveId, own, isOpenAtFirst);
    const place = placeOf('drives', driveId, 'directories', own);
    return { place, label: `${shown(name)}/`, children, isGroup: true, isOpenAtFirst };
  });
  const leaves = files.map((file) => fileNode(driveId, file)).sort((one, other) => byName([one.label], [other.label]));
  return [...below, ...leaves];
}

function fileNode(driveId: string, { id, path, status, becomes }: FileRecord): TreeNode {
  const marks: Mark[] = [{ text: status, kind: statusKinds[status] }];
  if (becomes !== undefined) marks.push({ text: `then ${becomes.status}`, kind: 'plain' });
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { place: placeOf('drives', driveId, 'files', id), label: shown(name), marks };
}

const statusKinds: Readonly<Record<FileStatus, Mark['kind']>> = { ready: 'good', processing: 'warn', error: 'bad' };

function byName([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

// A name may be empty or blank.
function shown(name: string): string {
  return name.trim() === '' ? JSON.stringify(name) : name;
}

/** `1 file`, `2 files`. */
export function countWords(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/** A time in readable form, in UTC as sent. */
export function timeWords(iso: string): string {
  return iso.replace('T', ' ').replace(/(?:\.000)?Z$/, ' UTC');
}
