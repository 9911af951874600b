import { Ajv2020 } from 'ajv/dist/2020.js';
import { chosen } from '../../openapi/contract/profile.ts';
import { contractFor, createMock, type Profile, type Seed } from '../../src/index.ts';
import type { Answer } from './call.ts';
import { createWire, type Wire } from './wire.ts';

/** Asks one mock, and the schema of its contract, which paths they accept. */
export interface PathProbe {
  /** Whether the schema `DrivePath` of the contract allows it. */
  schemaAllows(path: string): boolean;
  /** Moves the one file of a drive. */
  move(path: string): Promise<Answer>;
  /** Deletes a tree. In the drive without files a legal path is answered like any unknown tree. The query goes as it is. */
  deleteTree(drive: 'full' | 'empty', query: string): Promise<Answer>;
  /** The file, as it is shown. */
  readFile(): Promise<string>;
  /** Whether an answer is the refusal of an invalid path. */
  isRefusal(answer: Answer): boolean;
  close(): Promise<void>;
}

const createdAt = '2026-01-01T00:00:00Z';
const file = { id: 'file', path: '/start', modifiedAt: createdAt, sizeBytes: 1, contentType: 'text/plain' };
const drives = [
  { id: 'full', name: 'full', createdAt, files: [file] },
  { id: 'empty', name: 'empty', createdAt },
];
const seed: Seed = { organizations: [{ name: 'Paths', keys: ['key'], drives }] };
const headers = { 'x-api-key': 'key' };

export async function createPathProbe(profile: Partial<Profile>): Promise<PathProbe> {
  const mock = await createMock({ port: 0, seed, profile, clock: '2026-07-01T12:00:00Z' });
  const wire = createWire(mock.url);
  const close = async () => {
    wire.close();
    await mock.close();
  };
  const isRefusal = ({ status }: Answer) => status === chosen(mock.profile, 'errorStatus.invalidPath');
  return { ...requestsOver(wire), schemaAllows: schemaCheck(mock.profile), isRefusal, close };
}

function requestsOver({ sendRaw }: Wire) {
  const fileAt = '/drives/full/files/file';
  const json = { ...headers, 'content-type': 'application/json' };
  return {
    // Half a surrogate pair has no percent-encoding, but an escape in JSON.
    move: (path: string) => sendRaw('PATCH', fileAt, json, JSON.stringify({ path })),
    deleteTree: (drive: string, query: string) => sendRaw('DELETE', `/drives/${drive}/items/tree?${query}`, headers),
    readFile: async () => (await sendRaw('GET', fileAt, headers)).text,
  };
}

function schemaCheck(profile: Profile): (path: string) => boolean {
  const ajv = new Ajv2020({ strict: false });
  const validate = ajv.compile(contractFor(profile).components?.schemas?.DrivePath ?? false);
  return (path) => validate(path);
}
