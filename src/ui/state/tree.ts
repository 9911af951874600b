import type { ShownDrive, ShownFile } from '../../app/admin-api/file-handlers.ts';
import { placeOf } from '../shared/state-undo.ts';
import type { Row } from '../shared/table.tsx';
import { shown } from '../shared/words.ts';

/** What a line of the tree of drives is about; a directory has no record. */
export interface TreeItem {
  name: string;
  drive?: ShownDrive;
  file?: ShownFile;
}

/** One line of the tree; it can be opened if it has children. */
export interface TreeNode {
  /** Where it is in its sandbox: `/drives/<id>/files/<id>`, as in admin API paths. */
  place: string;
  item: TreeItem;
  children?: readonly TreeNode[];
  isOpenAtFirst?: boolean;
}

/** Drives with their directories and files, if these are loaded. */
export function driveNodes(
  drives: readonly ShownDrive[],
  filesOf: (driveId: string) => readonly ShownFile[] | undefined,
): TreeNode[] {
  return drives.map((drive) => {
    const files = filesOf(drive.id) ?? [];
    const children = () => nodesBelow('', drive.id, files, files.length <= mostOpenAtFirst);
    return {
      ...{ place: placeOf('drives', drive.id), item: { name: shown(drive.name), drive } },
      ...(drive.holds.files > 0 && { children: children() }),
    };
  });
}

// Larger drives start with closed directories.
const mostOpenAtFirst = 200;

/** What is below a path: directories first, then files, each by name. */
function nodesBelow(path: string, driveId: string, files: readonly ShownFile[], isOpenAtFirst: boolean): TreeNode[] {
  const restOf = (file: ShownFile) => file.path.slice(path.length + 1);
  const { file: own = [], directory = [] } = Object.groupBy(files, (file) =>
    restOf(file).includes('/') ? 'directory' : 'file',
  );
  const directories = [...Map.groupBy(directory, (file) => restOf(file).split('/', 1).join())];
  const nodes = directories.map(([name, inside]): TreeNode => {
    const below = `${path}/${name}`;
    return {
      ...{ place: placeOf('drives', driveId, 'directories', below), item: { name: `${shown(name)}/` } },
      ...{ children: nodesBelow(below, driveId, inside, isOpenAtFirst), isOpenAtFirst },
    };
  });
  const leaves = own.map((file): TreeNode => {
    return { place: placeOf('drives', driveId, 'files', file.id), item: { name: shown(restOf(file)), file } };
  });
  return [...nodes.sort(byName), ...leaves.sort(byName)];
}

function byName({ item: one }: TreeNode, { item: other }: TreeNode): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}

interface RowOptions {
  isOpen(node: TreeNode): boolean;
  hrefOf(place: string): string;
  /** The order of lines beside each other; directories stay first. Default: as they are. */
  order?: ((one: TreeItem, other: TreeItem) => number) | undefined;
}

/** The lines of the tree, from top to bottom, without those below closed ones. */
export function rowsOf(nodes: readonly TreeNode[], options: RowOptions, level = 1): Row<TreeItem>[] {
  const { isOpen, hrefOf, order } = options;
  const isDirectory = ({ drive, file }: TreeItem) => drive === undefined && file === undefined;
  const sorted =
    order === undefined
      ? nodes
      : nodes.toSorted(
          ({ item: one }, { item: other }) =>
            Number(isDirectory(other)) - Number(isDirectory(one)) || order(one, other),
        );
  return sorted.flatMap((node) => {
    const { place, item, children } = node;
    const isOpened = children === undefined ? undefined : isOpen(node);
    const row = { id: place, item, level, isOpen: isOpened, ...(!isDirectory(item) && { href: hrefOf(place) }) };
    return [row, ...(isOpened ? rowsOf(children ?? [], options, level + 1) : [])];
  });
}

/** Nodes whose name or whose children match a text. */
export function matching(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const wanted = text.toLowerCase();
  return nodes.flatMap((node) => {
    if (node.item.name.toLowerCase().includes(wanted)) return [node];
    const children = matching(node.children ?? [], text);
    return children.length === 0 ? [] : [{ ...node, children, isOpenAtFirst: true }];
  });
}
