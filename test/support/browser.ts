import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The program of a real browser. Where there is none: an error in CI, else undefined, said on standard error. */
export function findBrowser(): string | undefined {
  const { CHROMIUM_PATH, CI } = process.env;
  const places = CHROMIUM_PATH === undefined ? usualPlaces : [CHROMIUM_PATH];
  const executablePath = places.find((path) => existsSync(path));
  if (executablePath !== undefined) return executablePath;
  const message = `There is no Chromium at ${places.join(', ')}; CHROMIUM_PATH says where one is.`;
  if (CI !== undefined && CI !== '' && CI !== 'false') throw new Error(message);
  process.stderr.write(`\nNOT TESTED in a browser. ${message}\n\n`);
  return undefined;
}

/** A real browser, where there is one. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return undefined;
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
