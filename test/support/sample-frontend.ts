import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { VaryReport } from '../../src/vary/report.ts';
import { runCommand } from './command.ts';
import { temporaryFolder } from './shell.ts';

const frontend = join(import.meta.dirname, '../../examples/frontend');

/** What the tests of the sample frontend rely on, on purpose. */
export const planted = ['createStatus = 201', 'errorBody = message', 'idFormat = sortable', 'listOrder = oldestFirst'];

/** Runs `agent-platform-contract vary` over the sample frontend, which has dependencies. */
export async function varyFrontend(args: readonly string[], environment: Record<string, string> = {}) {
  const folder = temporaryFolder('vary-example');
  try {
    const json = folder.at('report.json');
    const options = ['--profile', join(frontend, 'profile.yaml'), '--json', json, ...args];
    const tests = [process.execPath, join(frontend, 'drive-browser.test.js')];
    const { code, stderr } = await runCommand(['vary', ...options, '--', ...tests], environment);
    if (!existsSync(json)) throw new Error(stderr);
    expect(code).toBe(1);
    return JSON.parse(readFileSync(json, 'utf8')) as VaryReport;
  } finally {
    folder.remove();
  }
}

export function reliedOn({ dependencies }: VaryReport): string[] {
  return dependencies
    .map(({ openPoints }) => openPoints.map((one) => `${one.openPoint} = ${one.reliesOn}`).join(' and '))
    .sort();
}
