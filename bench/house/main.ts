/**
 * How many rooms a fact crosses: `npm run measure`. Prints, for this checkout,
 * - the files and named functions that some requests enter, and the start with one more option;
 * - the longest chain of imports and the largest closure of one module, types left out;
 * - in how many files some facts are named;
 * - lines of each part.
 * `npm run measure -- --list` names the files and functions.
 */
import { entered } from './entered.ts';
import { closures, longestChain } from './imports.ts';
import { linesOf, placesOf } from './places.ts';

async function main(): Promise<void> {
  const requests = await entered();
  const counts = requests.map(([what, functions]) => [what, functions.size, [...functions.values()].flat().length]);
  console.log(table(['entered by', 'files', 'named functions'], counts));
  if (process.argv.includes('--list')) for (const [what, functions] of requests) console.log(list(what, functions));
  const chain = longestChain();
  console.log(`Longest chain of imports: ${chain.length} files: ${chain.join(' > ')}\n`);
  console.log(table(['module', 'files that it loads'], closures().slice(0, 5)));
  console.log(table(['fact', 'product files', 'test files'], placesOf()));
  console.log(table(['part', 'lines'], linesOf()));
}

function list(what: string, functions: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...functions].toSorted().map(([file, names]) => `- ${file}: ${names.join(', ')}`);
  return [`${what}:`, ...lines, ''].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

await main();
