/**
 * How many rooms a fact crosses: `npm run measure`. Prints, for this checkout,
 * - the files and named functions that some requests enter, and the start with one more option;
 * - the longest chain of imports and the largest closure of one module, types left out;
 * - in how many files some facts are named;
 * - lines of each part.
 */
import { entered } from './entered.ts';
import { closures, longestChain } from './imports.ts';
import { linesOf, placesOf } from './places.ts';

async function main(): Promise<void> {
  console.log(table(['entered by', 'files', 'named functions'], await entered()));
  const chain = longestChain();
  console.log(`Longest chain of imports: ${chain.length} files: ${chain.join(' > ')}\n`);
  console.log(table(['module', 'files that it loads'], closures().slice(0, 5)));
  console.log(table(['fact', 'product files', 'test files'], placesOf()));
  console.log(table(['part', 'lines'], linesOf()));
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

await main();
