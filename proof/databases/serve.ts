import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidate } from './mistakes.ts';

/** Starts the one server, writes a config for the suite, and waits until it is interrupted. */
export async function serve(candidates: readonly Candidate[], interrupted: Promise<void>): Promise<void> {
  const [candidate] = candidates;
  if (candidate === undefined || candidates.length > 1) throw new Error('Name one server after --serve.');
  const { baseUrl, apiKey, otherApiKey, fixtures, treePathParameter, close } = await candidate.start();
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-databases-'));
  const file = join(folder, 'conformance.json');
  const config = { baseUrl, apiKey, otherApiKey, fixtures, openPoints: { treePathParameter } };
  writeFileSync(file, JSON.stringify({ ...config, allowWrites: true, allowDestructive: true }, undefined, 2));
  console.log(`${candidate.what}\n\n  ${baseUrl}\n  npm run conformance -- --config ${file}\n`);
  await interrupted;
  await close();
  rmSync(folder, { recursive: true });
}
