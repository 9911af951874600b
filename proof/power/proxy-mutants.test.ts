import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Tally } from '../../src/proxy/summary.ts';
import { sampleOf } from '../../test/support/depth.ts';
import { startProxy } from '../../test/support/proxied.ts';
import { sendTraffic, subjectsOf } from '../../test/support/scripted-traffic.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants/index.ts';
import { startMutant } from './start-mutant.ts';

// In front of servers with exactly one fault: what is wrong in an answer is said, on the side of the server, by
// operation and place.

/** What is said against a mutant. */
async function saidOf(mutant: Mutant): Promise<Tally[]> {
  const running = await startMutant(mutant);
  const { baseUrl, mock, fixtures } = running;
  const { proxy, close } = await startProxy({ upstream: baseUrl });
  try {
    await sendTraffic(proxy.url, subjectsOf(mock, fixtures));
    return proxy.summary().server;
  } finally {
    await close();
    await running.close();
  }
}

/** Not visible in one answer, or in none of this traffic. */
const elsewhere = new Set([
  'server-updated-before-it-was-created',
  'created-drive-of-1970',
  'created-drive-with-emoji-named-null',
  'moved-file-described-by-null',
]);

const inShape = mutants.filter(
  ({ class: kind, id, prefix }) => kind === 'shape' && prefix === undefined && !elsewhere.has(id),
);

describe('fault in the shape of a response', () => {
  it('occurs in at least 20 mutants', () => {
    expect(inShape.length).toBeGreaterThanOrEqual(20);
  });

  it.each(sampleOf(inShape, 6).map((mutant) => [mutant.id, mutant] as const))('%s is reported', async (_, mutant) => {
    const operation = mutant.check.split('.')[0];
    const said = (await saidOf(mutant)).filter((tally) => tally.operation === operation);
    const places = said.map(({ severity, place }) => `${severity} ${place}`);
    expect(places).not.toEqual([]);
    expect(
      places.every((place) => /^(Error|Warning) response\.(body|header)/.test(place)),
      places.join(),
    ).toBe(true);
  });
});

/** Faults of which place and rule are known. */
const known: [id: string, operation: OperationId, severity: string, code: string, place: string][] = [
  ['agents-answered-with-203', 'listAgents', 'Error', 'undeclaredStatus', 'response.statusCode'],
  ['list-mcp-servers-answers-201', 'listMcpServers', 'Error', 'undeclaredStatus', 'response.statusCode'],
  ['agents-in-an-envelope', 'listAgents', 'Error', 'type', 'response.body'],
  ['agent-updated-in-local-time', 'listAgents', 'Error', 'pattern', 'response.body.*.updatedAt'],
  ['agent-flag-left-out-when-false', 'listAgents', 'Warning', 'required', 'response.body.*.hasChanges'],
  ['page-without-pagination', 'listDrives', 'Error', 'required', 'response.body.pagination'],
  ['moved-file-modified-on-no-day', 'updateDriveFile', 'Error', 'format', 'response.body.modifiedAt'],
  ['moved-file-not-shown', 'updateDriveFile', 'Error', 'required', 'response.body'],
  ['deletion-counts-nan', 'deleteDriveTree', 'Error', 'malformedJson', 'response.body'],
  ['tool-without-description', 'listMcpServerTools', 'Error', 'required', 'response.body.tools.*.description'],
  ['server-of-another-type', 'listMcpServers', 'Error', 'enum', 'response.body.*.type'],
  ['limit-is-ignored', 'listDrives', 'Error', 'echo', 'response.body.data'],
  ['pagination-shows-the-next-offset', 'listDrives', 'Warning', 'echo', 'response.body.pagination.offset'],
  ['list-drives-asks-for-no-key', 'listDrives', 'Error', 'honoured', 'response.statusCode'],
  ['move-judges-by-the-stated-pattern-alone', 'updateDriveFile', 'Error', 'honoured', 'response.statusCode'],
  ['delete-judges-before-it-decodes', 'deleteDriveTree', 'Error', 'honoured', 'response.statusCode'],
  [
    'list-mcp-server-tools-without-a-key-is-403',
    'listMcpServerTools',
    'Error',
    'unauthenticated',
    'response.statusCode',
  ],
  ['list-drives-without-a-key-is-403', 'listDrives', 'Warning', 'unauthenticated', 'response.statusCode'],
];

describe('known fault', () => {
  it.each(sampleOf(known, 3))('%s is reported for %s as %s %s at %s', async (id, operation, severity, code, place) => {
    const mutant = mutants.find((each) => each.id === id);
    if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
    expect(await saidOf(mutant)).toContainEqual(expect.objectContaining({ operation, severity, code, place }));
  });
});
