import fc from 'fast-check';
import type { Mock } from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { keyIdOf } from './key-id.ts';

// Steps are drawn without knowing the state, and become requests based on the state when their turn comes: the same
// steps give the same requests wherever the state is the same.

/** One action. The numbers select from what exists. */
export interface Step {
  kind: string;
  one: number;
  two: number;
}

/** A request, ready to send to any mock: the target starts after the authority. */
export interface SteppedRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string;
}

type Resident = NonNullable<ReturnType<Mock['engine']['store']['ownerOf']>>;

/** What a step becomes a request from: the organization that it acts on, and its numbers. */
interface Draw extends Step {
  mock: Mock;
  sandbox: Resident;
}

type Make = (draw: Draw) => [method: string, path: string, body?: unknown];

const apiSteps: Record<string, Make> = {
  listAgents: () => ['GET', '/agents'],
  listDrives: ({ one }) => ['GET', `/drives?limit=${1 + (one % 100)}`],
  listMcpServers: () => ['GET', '/mcp-servers'],
  listTools: (draw) => ['GET', `/mcp-servers/${serverOf(draw)}/tools`],
  getFile: (draw) => ['GET', `/drives/${driveOf(draw)}/files/${fileOf(draw)}`],
  createDrive: ({ one }) => ['POST', '/drives', { name: pick(names, one) }],
  createMcpServer: ({ one, two }) => ['POST', '/mcp-servers', { name: pick(names, one), url: pick(urls, two) }],
  publish: (draw) => ['POST', `/agents/${agentOf(draw)}/publish`, { revisionId: revisionOf(draw) }],
  move: (draw) => ['PATCH', `/drives/${driveOf(draw)}/files/${fileOf(draw)}`, { path: pick(paths, draw.one) }],
  deleteTree: (draw) => ['DELETE', `/drives/${driveOf(draw)}/items/tree?${treeOf(draw)}`],
  invalid: ({ one }) => ['POST', '/drives', pick([{}, { name: 5 }, { nome: 'x' }], one)],
};

const controlSteps: Record<string, Make> = {
  createAgent: ({ one, two }) => ['POST', '/agents', { name: pick(names, one), ...pick(agentParts, two) }],
  createRevision: (draw) => ['POST', `/agents/${agentOf(draw)}/revisions`],
  changeAgent: (draw) => ['PATCH', `/agents/${agentOf(draw)}`, pick(agentChanges, draw.two)],
  deleteAgent: (draw) => ['DELETE', `/agents/${agentOf(draw)}`],
  createFile: (draw) => ['POST', `/drives/${driveOf(draw)}/files`, { path: pick(paths, draw.one), ...partsOf(draw) }],
  changeFile: (draw) => ['PATCH', `/drives/${driveOf(draw)}/files/${fileOf(draw)}`, pick(fileChanges, draw.one)],
  deleteFile: (draw) => ['DELETE', `/drives/${driveOf(draw)}/files/${fileOf(draw)}`],
  deleteDrive: (draw) => ['DELETE', `/drives/${driveOf(draw)}`],
  deleteMcpServer: (draw) => ['DELETE', `/mcp-servers/${serverOf(draw)}`],
  putTools: (draw) => ['PUT', `/mcp-servers/${serverOf(draw)}/tools`, pick(toolLists, draw.one)],
  issueKey: ({ one }) => ['POST', '/keys', { key: `issued-${one % 5}` }],
};

/** Changes of the mock itself. Their paths are relative to the admin API. */
const planeSteps: Record<string, Make> = {
  advance: ({ one }) => ['PATCH', '/settings', { advanceMs: one * 50 }],
  applied: ({ one }) => ['PATCH', '/settings', { profile: pick(appliedProfiles, one) }],
  setClock: ({ one }) => ['PATCH', '/settings', { clock: pick(times, one) }],
  openSandbox: ({ one, two }) => [
    'POST',
    '/organizations',
    { ...pick(newSandboxes, one), copyOf: pick(templates, two) },
  ],
  revokeKey: ({ sandbox, one }) => ['DELETE', `${pathOf(sandbox)}/keys/${keyIdOf(pick([...sandbox.keys], one))}`],
  resetOne: ({ sandbox }) => ['POST', `/reset?organization=${sandbox.organization.id}`],
  deleteOrganization: ({ sandbox }) => ['DELETE', pathOf(sandbox)],
  runAlone: ({ sandbox, one }) => ['PATCH', settingsOf(sandbox), { profile: pick(appliedProfiles, one) }],
  runAsAll: ({ sandbox }) => ['PATCH', settingsOf(sandbox), { profile: null }],
  issueKey: ({ sandbox, one }) => [
    'POST',
    `${pathOf(sandbox)}/keys`,
    pick([{}, { key: 'late-2' }, { key: 'own' }], one),
  ],
  resetAll: () => ['POST', '/reset'],
  putBack: ({ mock }) => ['PUT', '/snapshot', mock.snapshot()],
  putOneBack: ({ mock, sandbox }) => [
    'PUT',
    `/snapshot?organization=${sandbox.organization.id}`,
    mock.snapshot().organizations.find(({ id }) => id === sandbox.organization.id),
  ],
  letClockRun: () => ['PATCH', '/settings', { clock: null }],
};

const names = ['alpha', 'Beta', 'zoo', '🚀 é', 'alpha', ' spaced ', '10', '\ud800'];
const urls = ['https://mcp.example.com/a', 'HTTP://MCP.example.com', 'http://127.0.0.1:8080/?q=%20'];
const paths = ['/a', '/a/b.txt', '/docs/new.md', '/docs/deep/x', '/..a', '/a//b', '/ä ö', '/docs', '/z/y/x/w'];
const trees = ['/', '/docs', '/docs/deep', '/a', '/missing', '/z'];
const agentParts = [{}, { revisions: [{}, {}], published: 1 }, { createdAt: '2025-01-01T00:00:00Z' }];
const agentChanges = [
  { name: 'renamed' },
  { description: null },
  { activeRevisionId: null },
  { hasChanges: true, description: 'x' },
];
const fileChanges = [
  { status: 'error' },
  { status: 'processing', becomes: { status: 'ready', afterMs: 700 } },
  { path: '/changed' },
  { metadata: { a: [1, null, { b: 'x' }] }, summary: null },
  { becomes: null },
];
const times = ['2026-07-01T12:00:00.250Z', '2026-07-01T12:00:01Z', '2020-02-29T00:00:00Z'];
const appliedProfiles = [
  ...['oldestFirst', 'newestFirst', 'byName', 'arbitrary'].map((listOrder) => ({ listOrder })),
  ...['uuid', 'prefixed', 'sortable', 'numeric'].map((idFormat) => ({ idFormat })),
  { readAfterWrite: 'lagging', treeDeletion: 'asynchronous' },
  { readAfterWrite: 'immediate', treeDeletion: 'immediate' },
  { fileStatusFlow: 'reprocessedOnMove' },
  { fileStatusFlow: 'still' },
];
const newSandboxes = ['late-1', 'late-2', 'late-3'].map((key) => ({ key, name: `Sandbox of ${key}` }));
const templates = ['Alpha', 'Beta', null];
const toolLists = [[], [{ name: 'one', description: '' }]];

const anyOf = (kinds: readonly string[]) =>
  fc.record({ kind: fc.constantFrom(...kinds), one: fc.nat(99), two: fc.nat(99) });

/** A call of the API. */
const anyApiStep: fc.Arbitrary<Step> = anyOf(Object.keys(apiSteps));

/** A call of the API, or a change through the admin API. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyApiStep, weight: 2 },
  { arbitrary: anyOf(Object.keys(controlSteps)), weight: 1 },
);

/** The same, or a change of the mock itself: its clock, its organizations and their keys. */
export const anyDeepStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyStep, weight: 5 },
  { arbitrary: anyOf(['advance', 'setClock', 'openSandbox', 'revokeKey', 'resetOne']), weight: 1 },
);

/** The same, or a change of profile. */
export const anyStepAtAll: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyDeepStep, weight: 9 },
  { arbitrary: anyOf(['applied']), weight: 1 },
);

/** The same, or anything else that the admin API can do to the state. */
export const anyKeptStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyStepAtAll, weight: 9 },
  {
    arbitrary: anyOf(['runAlone', 'runAlone', 'runAsAll', 'issueKey', 'resetAll', 'putBack', 'putOneBack']),
    weight: 1,
  },
  { arbitrary: anyOf(['openSandbox', 'deleteOrganization', 'letClockRun']), weight: 1 },
);

/** Any profile that the model draws. */
export const anyProfile = fc.nat().map((profileSeed) => randomProfile(createRandom(profileSeed)));

/** A step and its caller: the key is selected from the existing ones. */
export interface Turn {
  who: number;
  step: Step;
}

export const toTurns = (step: fc.Arbitrary<Step>, minLength: number, maxLength: number): fc.Arbitrary<Turn[]> =>
  fc.array(fc.record({ who: fc.nat(99), step }), { minLength, maxLength, size: 'max' });

/** The request of a turn in the mock's current state: a reset if no key is left. */
export function toTurnRequest(mock: Mock, { who, step }: Turn): SteppedRequest {
  const { keys } = mock.engine.store;
  if (keys.length === 0) return { method: 'POST', target: '/__admin/reset', headers: {} };
  return toRequest(mock, pick(keys, who), step);
}

/** The request of a step for the organization of a key, in the mock's current state. */
export function toRequest(mock: Mock, key: string, step: Step): SteppedRequest {
  const sandbox = mock.engine.store.ownerOf(key);
  if (sandbox === undefined) throw new Error(`The mock does not know the key ${key}.`);
  const [make, base] = makeOf(mock, sandbox, step);
  const [method, path, body] = make({ ...step, mock, sandbox });
  const isApi = step.kind in apiSteps;
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...(isApi ? { 'x-api-key': key } : {}), ...content };
  return { method, target: base + path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

function makeOf(mock: Mock, sandbox: Resident, { kind }: Step): [make: Make, base: string] {
  const found = [
    [apiSteps[kind], new URL(mock.url).pathname],
    [controlSteps[kind], `/__admin${pathOf(sandbox)}`],
    [planeSteps[kind], '/__admin'],
  ] as const;
  const [make, base] = found.find(([candidate]) => candidate !== undefined) ?? [undefined, ''];
  if (make === undefined) throw new Error(`There is no step ${kind}.`);
  return [make, base];
}

function settingsOf({ organization }: Resident): string {
  return `/settings?organization=${encodeURIComponent(organization.id)}`;
}

function pathOf({ organization }: Resident): string {
  return `/organizations/${encodeURIComponent(organization.id)}`;
}

/** The response, without what distinguishes exchanges. */
export async function sendStep(mock: Mock, { method, target, headers, body }: SteppedRequest): Promise<string> {
  const response = await fetch(new URL(target, mock.url), { method, headers, ...(body === undefined ? {} : { body }) });
  const isApi = response.headers.has('x-request-id');
  // Dates of the admin API come from the machine's clock.
  const left = isApi ? /^(?:x-request-id|ratelimit-.*|keep-alive)$/ : /^(?:date|keep-alive)$/;
  const kept = [...response.headers].filter(([name]) => !left.test(name));
  return `${method} ${target} ${body ?? ''} -> ${response.status} ${JSON.stringify(kept)} ${await response.text()}`;
}

function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length] as T;
}

function idIn(records: { keys(): Iterable<string> }, number: number): string {
  return pick([...records.keys(), 'nothing'], number);
}

function agentOf({ sandbox, one }: Pick<Draw, 'sandbox' | 'one'>): string {
  return idIn(sandbox.organization.agentsById, one);
}

function revisionOf({ sandbox, one, two }: Draw): string {
  const revisions = sandbox.organization.agentsById.get(agentOf({ sandbox, one }))?.revisions ?? [];
  return pick([...revisions.map(({ id }) => id), 'nothing'], two);
}

// Usually a drive with files, although most have none.
function driveOf({ sandbox: { organization }, one, two }: Draw): string {
  const filled = [...organization.drivesById.keys()].filter((id) => organization.filesOf(id).size > 0);
  return two % 4 > 0 && filled.length > 0 ? pick(filled, one) : idIn(organization.drivesById, one);
}

function fileOf(draw: Draw): string {
  const files = draw.sandbox.organization.filesOf(driveOf(draw)).all();
  return pick([...files.map(({ id }) => id), 'nothing'], draw.two);
}

function serverOf({ sandbox, one }: Draw): string {
  return idIn(sandbox.organization.mcpServersById, one);
}

function treeOf({ mock, one }: Draw): string {
  return `${mock.profile.treePathParameter}=${encodeURIComponent(pick(trees, one))}`;
}

function partsOf({ two }: Draw): object {
  const becomes = { status: 'ready', afterMs: 100 * two };
  return pick<object>([{}, { status: 'processing', becomes }, { metadata: { two }, contentType: 'text/plain' }], two);
}
