import type { Seed, SeedDrive, SeedFile } from '../src/domain/seed.ts';
import { key } from './http.ts';

/** How many drives the mock holds under load. */
export const loadedDrives = 1000;

const firstMs = Date.parse('2026-01-05T08:00:00Z');

/** One organization with so many drives, each a second younger than the one before. */
export function seedOfDrives(count: number): Seed {
  return seedOf(drivesOf(count));
}

/** So many drives for a seed. */
export function drivesOf(count: number): SeedDrive[] {
  return range(count).map((index) => ({
    name: `Project archive ${String(index).padStart(7, '0')}`,
    createdAt: timeAt(index),
  }));
}

/** How the files of a drive lie. `treeCount` of its directories are trees of ten files. */
export interface DriveShape {
  fileCount: number;
  treeCount: number;
}

export const filesPerTree = 10;
const filesPerDirectory = 100;

/** One organization with such drives, whose ids are `drive-0`, `drive-1` and so on. */
export function seedOfFiles(shapes: readonly DriveShape[]): Seed {
  const drives = shapes.map((shape, index) => ({
    id: `drive-${index}`,
    name: `Drive ${index}`,
    createdAt: timeAt(index),
    files: filePaths(shape).map(toFile),
  }));
  return seedOf(drives);
}

/** The path of one tree of a drive. */
export function treePath(index: number): string {
  return `/archive/tree-${index}`;
}

// The trees are among the directories of the other files.
function filePaths({ fileCount, treeCount }: DriveShape): string[] {
  const inTrees = range(treeCount).flatMap((tree) => range(filesPerTree).map((index) => pathInTree(tree, index)));
  const others = range(fileCount - inTrees.length).map(
    (index) => `/archive/batch-${Math.floor(index / filesPerDirectory)}/report-${index}.pdf`,
  );
  return [...inTrees, ...others];
}

// Seven in one directory and three in a directory below it.
function pathInTree(tree: number, index: number): string {
  return `${treePath(tree)}/${index < 7 ? '' : 'drafts/'}report-${index}.pdf`;
}

function toFile(path: string, index: number): SeedFile {
  return { path, modifiedAt: timeAt(index), sizeBytes: 1000 + index, contentType: 'application/pdf' };
}

function seedOf(drives: SeedDrive[]): Seed {
  return { organizations: [{ name: 'Bench', keys: [key], drives }] };
}

function timeAt(index: number): string {
  return new Date(firstMs + index * 1000).toISOString();
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
