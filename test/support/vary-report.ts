import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VaryReport } from '../../src/vary/report.ts';
import { runCommand } from './command.ts';
import { once } from './once.ts';

const test = `
const { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: key } = process.env;
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
const { status } = await fetch(url + '/drives', { method: 'POST', headers, body: '{"name":"x"}' });
if (status !== 201) throw new Error('<b>no drive</b> was created');
`;

/** A report written by vary: the tests rely on the status of a creation. */
export async function writtenByVary(): Promise<VaryReport> {
  const folder = await once('vary-report', async (path) => {
    const command = [process.execPath, '--input-type=module', '--eval', test];
    const options = ['--only', 'successStatus.createDrive=200', '--repeat', '1', '--json', join(path, 'vary.json')];
    const { code, stderr } = await runCommand(['vary', ...options, '--', ...command], { PATH: process.env.PATH ?? '' });
    if (code !== 1) throw new Error(stderr);
  });
  return JSON.parse(readFileSync(join(folder, 'vary.json'), 'utf8'));
}
