import type { Call, OperationId } from './call.ts';
import type { FileState } from './picture.ts';
import type { Random } from './random.ts';
import { badPaths } from './random-bodies.ts';
import type { Draw } from './random-calls.ts';

type Query = [string, string][];

/** A query for an operation, seldom with a parameter that it does not have. */
export function randomQuery(operationId: OperationId, params: Call['params'], draw: Draw): Query {
  const query: Query = [];
  if (operationId === 'listDrives') query.push(...randomPaging(draw));
  if (operationId === 'deleteDriveTree') query.push(...randomTree(params, draw));
  if (!draw.isMeantWell && draw.random.chance(0.15)) query.push([draw.random.pick(unknownParameters), 'x']);
  return query;
}

const unknownParameters = ['colour', 'Limit', 'PATH', 'page', 'constructor', 'limit[]'];

function randomPaging({ random, isMeantWell }: Draw): Query {
  const limits = isMeantWell ? goodLimits : [...goodLimits, ...outOfRange, ...noIntegers, '101'];
  const offsets = isMeantWell ? goodOffsets : [...goodOffsets, ...outOfRange, ...noIntegers];
  const limit: Query = random.chance(0.6) ? [['limit', random.pick(limits)]] : [];
  const offset: Query = random.chance(0.5) ? [['offset', random.pick(offsets)]] : [];
  const again: Query = !isMeantWell && random.chance(0.05) ? [['offset', '1']] : [];
  return [...limit, ...offset, ...again];
}

const goodLimits = ['1', '2', '5', '20', '99', '100'];
const goodOffsets = ['0', '1', '3', '19', '22', '54', '1000000'];
const outOfRange = ['-1', '-100'];
const noIntegers = ['', 'abc', '1.5', 'null', '1,2', '٣'];

function randomTree({ driveId }: Call['params'], draw: Draw): Query {
  const { random, picture, organization, isMeantWell } = draw;
  const name = picture.profile.treePathParameter;
  const files = organization.drives.find(({ id }) => id === driveId)?.files ?? [];
  const good = treesOf(files, random);
  if (isMeantWell) return [[name, random.pick(good)]];
  if (random.chance(0.15)) return [];
  const again: Query = random.chance(0.05) ? [[name, '/again']] : [];
  const pools = [good, oddTrees, badPaths, [...files.map(({ path }) => path), '/missing.txt']];
  return [[name, random.pick(random.pick(pools))], ...again];
}

// The root comes seldom, as little is left to judge behind it.
function treesOf(files: readonly FileState[], random: Random): string[] {
  const directories = files.flatMap(({ path }) => {
    const segments = path.split('/');
    return segments.slice(2).map((_, index) => segments.slice(0, index + 2).join('/'));
  });
  const deepest = directories.length > 0 ? directories : files.map(({ path }) => path);
  return deepest.length === 0 || random.chance(0.06) ? ['/'] : [...deepest, `${deepest[0]}/`];
}

const oddTrees = [
  ...['/missing', '/docs/guide.md', '/doc', '/./docs', '//docs', '/docs//deep', '/%2e%2e', '/...', '/a..b'],
  ...['/ä ö+&=?#'],
];
