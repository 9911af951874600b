/** `npm run pictures` makes all pictures; `npm run pictures -- overview page` makes one, and all whose names begin with `page-`. */
import { argv, exit } from 'node:process';
import type { Browser } from 'playwright-core';
import { noBrowser, openBrowser } from '../../test/support/browser.ts';
import { make, names } from './pictures.ts';

const asked = argv.slice(2);
const isMeant = (name: string, word: string) => name === word || name.startsWith(`${word}-`);
const unknown = asked.filter((word) => !names.some((name) => isMeant(name, word)));
if (unknown.length > 0) {
  console.error(`There is no picture ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  exit(2);
}

let opened: Promise<Browser> | undefined;
const open = () => {
  opened ??= openBrowser().then((browser) => browser ?? Promise.reject(new Error(noBrowser)));
  return opened;
};

let failed = 0;
for (const name of names) {
  if (asked.length > 0 && !asked.some((word) => isMeant(name, word))) continue;
  try {
    console.log(`${name}: ${(await make(name, open)) ? 'written' : 'unchanged'}`);
  } catch (error) {
    failed++;
    console.error(`${name}: not made.`, error);
  }
}
await (await opened?.catch(() => undefined))?.close();
exit(failed === 0 ? 0 : 1);
