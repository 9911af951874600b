import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadOpenPoints } from '../../openapi/points/index.ts';

const root = join(import.meta.dirname, '../..');

function read(pattern: string): Map<string, string> {
  const files = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] });
  const written = files.filter((file) => !/\.gen\.|package-lock|openapi\.default\.yaml/.test(file));
  return new Map(written.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

const product = read('{src,openapi,lib,conformance}/**/*.{ts,tsx,yaml}');
const tests = read('{test,proof}/**/*.ts');

function naming(pattern: RegExp): [number, number] {
  const count = (files: Map<string, string>) => [...files.values()].filter((text) => pattern.test(text)).length;
  return [count(product), count(tests)];
}

type Place = [fact: string, product: number | string, tests: number | string];

/** In how many files facts are named: open points on average and at worst, an auth header, a bound, a field. */
export function placesOf(): Place[] {
  const points = loadOpenPoints().map(({ id }) => naming(new RegExp(String.raw`\b${id}\b`)));
  const mean = (at: 0 | 1) => (points.reduce((sum, counts) => sum + counts[at], 0) / points.length).toFixed(1);
  const worst = (at: 0 | 1) => Math.max(...points.map((counts) => counts[at]));
  return [
    [`an open point, mean of ${points.length}`, mean(0), mean(1)],
    ['an open point, worst', worst(0), worst(1)],
    ['an auth header', ...naming(/x-api-key|\bbearer\b/i)],
    [
      'the bound 100 of limit',
      ...naming(/\b(limit|maximum|most|page|length)\b.*\b100\b|\b100\b.*\b(drives|limit|page)/i),
    ],
    ['the field updatedAt', ...naming(/\bupdatedAt\b/)],
  ];
}

/** The lines of each part of the project. */
export function linesOf(): [part: string, lines: number][] {
  const parts: Record<string, (file: string) => boolean> = {
    'lib, openapi, src without the page': (file) => !/^(conformance|src\/ui)\//.test(file),
    'src/ui': (file) => file.startsWith('src/ui/'),
    conformance: (file) => file.startsWith('conformance/'),
  };
  const lines = (files: Map<string, string>, isIn: (file: string) => boolean) =>
    [...files]
      .filter(([file]) => /\.tsx?$/.test(file) && isIn(file))
      .reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0);
  const ofProduct = Object.entries(parts).map(([part, isIn]): [string, number] => [part, lines(product, isIn)]);
  const ofTests = ['test', 'proof'].map((part): [string, number] => [
    part,
    lines(tests, (file) => file.startsWith(`${part}/`)),
  ]);
  return [...ofProduct, ...ofTests];
}
