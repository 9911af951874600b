import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { end, root } from './children.ts';
import { answerKey, mixedRequests, mixedSeed, type RecordedAnswer } from './mixed.ts';
import { exampleName, type Peer, peers } from './peers.ts';
import { loadedDrives, seedOfDrives } from './seeds.ts';
import { bare, bareJson, basePath, mock, page, type Subject } from './servers.ts';
import { eachTree, scriptOf } from './wrk.ts';

/** What is compared, and the files that it needs. */
export interface Material {
  /** Those that serve the same page of twenty drives. */
  read: Record<'mock' | 'bare' | Peer, Subject>;
  /** The two that answer the mixed load. */
  mixed: { mock: Subject; bare: Subject };
  /** The script of wrk for it, and which share of its requests is refused. */
  mixedScript: string;
  refusedShare: number;
}

/** Writes a seed of a thousand drives to the folder, and for the peers the page of it that the mock serves. */
export async function prepare(folder: string): Promise<Material> {
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const subject = mock('--seed', write('seed.json', JSON.stringify(seedOfDrives(loadedDrives))));
  const { child, first } = await subject.start();
  await end(child);
  const others = await peers(write('openapi.json', contractWith(first.body)));
  const mixed = mock('--seed', write('mixed.json', JSON.stringify(mixedSeed())));
  const recorded = await recordMixed(mixed);
  const requests = mixedRequests.map((request) => ({ ...request, path: basePath + request.path }));
  return {
    read: { bare: bare(write('page.json', first.body)), mock: subject, ...others },
    mixed: { bare: bareJson(write('answers.json', JSON.stringify(recorded))), mock: mixed },
    mixedScript: write('mixed.lua', scriptOf(requests)),
    refusedShare: recorded.filter(({ status }) => status >= 400).length / recorded.length,
  };
}

/** What the mock answers to each request of the mixed load. */
async function recordMixed(subject: Subject): Promise<RecordedAnswer[]> {
  const { child, baseUrl } = await subject.start();
  const recorded: RecordedAnswer[] = [];
  for (const { method, path, headers, body = null } of mixedRequests) {
    const response = await fetch(baseUrl + path.replace(eachTree, '0'), { method, headers, body });
    const key = answerKey(method, basePath + path, headers['x-api-key'], body);
    recorded.push({ key, status: response.status, body: await response.text() });
  }
  await end(child);
  return recorded;
}

// They answer with the example, so that is the page that the mock serves.
function contractWith(body: string): string {
  const contract = JSON.parse(readFileSync(join(root, 'dist/openapi/openapi.default.yaml.json'), 'utf8'));
  const [path = ''] = page.split('?');
  const media = contract.paths[path].get.responses['200'].content['application/json'];
  media.examples = { [exampleName]: { value: JSON.parse(body) } };
  return JSON.stringify(contract);
}
