import { expect, it } from 'vitest';
import { runSuite } from '../../conformance/run/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock, type Mock } from '../../src/index.ts';

/** The files of each drive of the first organization, by the id of the drive. */
function filesOf(mock: Mock): Map<string, number> {
  const [organization] = mock.snapshot().organizations;
  return new Map((organization?.drives ?? []).map(({ id, files }) => [id, files.length]));
}

async function deleteTree(mock: Mock, driveId: string, query: string): Promise<void> {
  const headers = { 'x-api-key': mock.keys[0] ?? '' };
  await (await fetch(`${mock.url}/drives/${driveId}/items/tree?${query}`, { method: 'DELETE', headers })).text();
}

// No deletion names the root, or no path at all, as long as it is not known that other drives are spared.
it('a server that deletes in every drive loses files of declared drives only', async () => {
  const mock = await createMock();
  const front = await startFront(mock.url, async (request, response, forward) => {
    const { status, headers, body } = await forward();
    const tree = /drives\/([^/]+)\/items\/tree\?(.*)/.exec(request.method === 'DELETE' ? (request.url ?? '') : '');
    const others = tree === null ? [] : [...filesOf(mock).keys()].filter((id) => id !== tree[1]);
    for (const id of others) await deleteTree(mock, id, tree?.[2] ?? '');
    response.writeHead(status, headers).end(body);
  });
  try {
    const settings = settingsForMock(mock, front.baseUrl, 'write', { settleMs: 100 });
    const declared = settings.fixtures.disposableFiles ?? [];
    const driveId = declared[0]?.driveId ?? '';
    const disposableFiles = declared.filter((file) => file.driveId === driveId);
    const before = filesOf(mock);
    const { checks } = await runSuite(
      { ...settings, fixtures: { ...settings.fixtures, disposableFiles } },
      { tool: 'test' },
    );
    expect(checks.find(({ id }) => id === 'deleteDriveTree.file-below-is-gone')?.outcome).toBe('passed');
    const lost = [...filesOf(mock)].filter(([id, count]) => id !== driveId && count < (before.get(id) ?? 0));
    expect(lost).toEqual([]);
  } finally {
    await front.close();
    await mock.close();
  }
});
