import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const { CHROMIUM_PATH, CI } = process.env;
const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const paths = CHROMIUM_PATH === undefined ? usualPaths : [CHROMIUM_PATH];

/** Why nothing is tested in a browser, if {@link findBrowser} finds none. */
export const noBrowser = `There is no Chromium at ${paths.join(', ')}. Set CHROMIUM_PATH to its path.`;

/** The path of Chromium. If there is none: undefined, which adds a visible last line to the run; in CI an error. */
export function findBrowser(): string | undefined {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined && CI !== undefined && CI !== '' && CI !== 'false') throw new Error(noBrowser);
  return found;
}

let shared: Promise<Browser | undefined> | undefined;

/** One Chromium, if installed, for all test files of this process, with which it ends. */
export async function sharedBrowser(): Promise<Browser | undefined> {
  shared ??= openBrowser();
  return shared;
}

/** Chromium, if installed. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = findBrowser();
  if (executablePath === undefined) return undefined;
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
