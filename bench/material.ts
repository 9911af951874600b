import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { end, root } from './children.ts';
import { driveCount, type Reply } from './http.ts';
import { loadedDrives, seedOfDrives } from './seeds.ts';
import { bare, mock, prism, type Subject } from './servers.ts';

/** What is compared, and the files that it needs. */
export interface Material {
  /** The three that serve the same page of twenty drives. */
  loaded: { mock: Subject; prism: Subject; bare: Subject };
  /** The two that are started with what they bring themselves. */
  started: { mock: Subject; prism: Subject };
  /** One line on what each of them answered. */
  answers: string;
}

/** Writes a seed of a thousand drives to the folder, and for the peers the page of it that the mock serves. */
export async function prepare(folder: string): Promise<Material> {
  const subject = mock(write(folder, 'seed.json', JSON.stringify(seedOfDrives(loadedDrives))));
  const page = await firstPage(subject);
  const peer = prism(write(folder, 'openapi.yaml', contractWith(page)));
  const limit = bare(write(folder, 'page.json', page.body), page.contentType ?? 'application/json');
  return {
    loaded: { mock: subject, prism: peer, bare: limit },
    started: { mock: mock(), prism: peer },
    answers: await describeAnswers([subject, peer, limit]),
  };
}

function write(folder: string, name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function firstPage(subject: Subject): Promise<Reply> {
  const { child, first } = await subject.start();
  await end(child);
  if (driveCount(first) !== 20) throw new Error(`${subject.name} did not serve twenty drives: ${first.body}`);
  return first;
}

// Prism answers with the first example, so that is the page that the mock serves.
function contractWith(page: Reply): string {
  const contract = parseDocument(readFileSync(join(root, 'openapi/openapi.yaml'), 'utf8'));
  const media = ['paths', '/drives', 'get', 'responses', '2XX', 'content', 'application/json'];
  if (!contract.hasIn([...media, 'examples'])) throw new Error('The contract has no example for GET /drives.');
  contract.setIn([...media, 'examples'], contract.createNode({ page: { value: JSON.parse(page.body) } }));
  return contract.toString();
}

async function describeAnswers(subjects: readonly Subject[]): Promise<string> {
  const parts: string[] = [];
  for (const subject of subjects) {
    const { status, body } = await firstPage(subject);
    parts.push(`${subject.name} ${status} with ${Buffer.byteLength(body).toLocaleString('en-US')} bytes`);
  }
  return `GET /drives?limit=20: ${parts.join(', ')}`;
}
