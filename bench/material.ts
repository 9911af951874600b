import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { end, root } from './children.ts';
import { driveCount, type Reply } from './http.ts';
import { answerKey, eachTree, mixedRequests, mixedSeed, type RecordedAnswer } from './mixed.ts';
import { loadedDrives, seedOfDrives } from './seeds.ts';
import { bare, bareJson, mock, npmStart, prism, type Subject } from './servers.ts';

/** What is compared, and the files that it needs. */
export interface Material {
  /** The three that serve the same page of twenty drives. */
  loaded: { mock: Subject; prism: Subject; bare: Subject };
  /** Those that are started with what they bring themselves. */
  started: { built: Subject; source: Subject; prism: Subject };
  /** The two that answer the mixed load. */
  mixed: { mock: Subject; bare: Subject };
  /** The mock that keeps its state in a file, and the one that does not. */
  kept: { mock: Subject; without: Subject };
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
    started: { built: mock(), source: npmStart(), prism: peer },
    mixed: await prepareMixed(folder),
    kept: { mock: keeping(folder), without: mock() },
    answers: await describeAnswers([subject, peer, limit]),
  };
}

/** The mock with the seed of the mixed load, and the server that knows its answers. */
async function prepareMixed(folder: string): Promise<Material['mixed']> {
  const subject = mock(write(folder, 'mixed.json', JSON.stringify(mixedSeed())));
  const server = await subject.start();
  const recorded: RecordedAnswer[] = [];
  for (const { method, path, headers, body = null } of mixedRequests) {
    const response = await fetch(server.baseUrl + path.replace(eachTree, '0'), { method, headers, body });
    const key = answerKey(method, path, headers['x-api-key']);
    recorded.push({ key, status: response.status, body: await response.text() });
  }
  await end(server.child);
  const statuses = new Set(recorded.map(({ status }) => status));
  for (const status of [200, 201, 401, 404, 422])
    if (!statuses.has(status)) throw new Error(`No response of the mixed load has status ${status}.`);
  return { mock: subject, bare: bareJson(write(folder, 'answers.json', JSON.stringify(recorded))) };
}

/** A mock with a new file for each start. */
function keeping(folder: string): Subject {
  let starts = 0;
  const start = () => mock(undefined, '--state', join(folder, `state-${++starts}`)).start();
  return { name: 'mock with --state', start };
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
