/** Writes a `ScaleSample` as JSON: `node --expose-gc bench/scale-worker.ts pages|trees <requests to each mock>`. */
import type { Mock, Seed } from '../src/index.ts';
import { loadBuilt } from './built.ts';
import { type Connection, connectTo, type TimedAnswer } from './connection.ts';
import { heapBytes } from './heap.ts';
import type { Comparison, ScaleSample } from './scale.ts';
import { filesPerTree, seedOfDrives, seedOfFiles, treePath } from './seeds.ts';

const { createMock } = await loadBuilt();

const many = 100_000;
const thousand = 1_000;
// Of an answer that is not as it should be.
const shown = 300;

/** One of two mocks, and the request that is made again and again. */
interface Side {
  mock: Mock;
  loadingMs: number;
  heapBytes: number;
  connection: Connection;
  request(connection: Connection, index: number): Promise<TimedAnswer>;
  samplesMs: number[];
}

type MakeSide = (count: number) => Promise<Side>;

const comparisons: Record<Comparison, { large: MakeSide; small: MakeSide }> = {
  pages: {
    large: () => sideOf(seedOfDrives(many), lastPages),
    small: () => sideOf(seedOfDrives(thousand), firstPage),
  },
  trees: {
    large: (count) => sideOf(seedOfFiles([{ fileCount: many, treeCount: count }]), deleteTreeOfLargeDrive),
    small: (count) => sideOf(seedOfSmallDrives(count), deleteTreeOfSmallDrive),
  },
};

// A drive of a thousand files has room for few additional trees, so there are several such drives.
const treesPerSmallDrive = 40;

function seedOfSmallDrives(count: number): Seed {
  const shape = { fileCount: thousand, treeCount: treesPerSmallDrive };
  return seedOfFiles(Array.from({ length: Math.ceil(count / treesPerSmallDrive) }, () => shape));
}

async function sideOf(seed: Seed, request: Side['request']): Promise<Side> {
  const before = heapBytes();
  const startedMs = performance.now();
  const mock = await createMock({ seed });
  const loadingMs = performance.now() - startedMs;
  return {
    mock,
    loadingMs,
    heapBytes: heapBytes() - before,
    connection: await connectTo(mock.url),
    request,
    samplesMs: [],
  };
}

// Wanders over the last thousand drives.
function lastPages(connection: Connection, index: number): Promise<TimedAnswer> {
  return page(connection, many - thousand + 20 * (index % 50));
}

function firstPage(connection: Connection): Promise<TimedAnswer> {
  return page(connection, 0);
}

async function page(connection: Connection, offset: number): Promise<TimedAnswer> {
  const answer = await connection.send('GET', `/drives?limit=20&offset=${offset}`);
  const { data } = JSON.parse(answer.body) as { data?: unknown[] };
  if (data?.length !== 20) throw new Error(`Not a page of twenty drives: ${answer.body.slice(0, shown)}`);
  return answer;
}

async function deleteTree(connection: Connection, drive: number, tree: number): Promise<TimedAnswer> {
  const path = encodeURIComponent(treePath(tree));
  const answer = await connection.send('DELETE', `/drives/drive-${drive}/items/tree?path=${path}`);
  const { documentCount } = JSON.parse(answer.body) as { documentCount?: number };
  if (documentCount !== filesPerTree) throw new Error(`Not the deletion of ten files: ${answer.body.slice(0, shown)}`);
  return answer;
}

function deleteTreeOfLargeDrive(connection: Connection, index: number): Promise<TimedAnswer> {
  return deleteTree(connection, 0, index);
}

function deleteTreeOfSmallDrive(connection: Connection, index: number): Promise<TimedAnswer> {
  return deleteTree(connection, Math.floor(index / treesPerSmallDrive), index % treesPerSmallDrive);
}

// The first sixth warms up. Who comes first changes with every turn.
async function compare(large: Side, small: Side, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    for (const side of index % 2 === 0 ? [large, small] : [small, large]) {
      const { durationMs } = await side.request(side.connection, index);
      if (index >= count / 6) side.samplesMs.push(durationMs);
    }
  }
}

async function measure(comparison: Comparison, count: number): Promise<ScaleSample> {
  const sides = comparisons[comparison];
  const large = await sides.large(count);
  const small = await sides.small(count);
  await compare(large, small, count);
  for (const { connection } of [large, small]) connection.close();
  await Promise.all([large.mock.close(), small.mock.close()]);
  return {
    largeMs: large.samplesMs,
    smallMs: small.samplesMs,
    loadingMs: large.loadingMs,
    heapBytes: large.heapBytes,
  };
}

const [comparison, count] = process.argv.slice(2);
console.log(JSON.stringify(await measure(comparison as Comparison, Number(count))));
