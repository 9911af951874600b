import { expect, it } from 'vitest';
import { startFront } from '../../proof/power/front.ts';
import { write } from '../../proof/power/mutants/wire-faults.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { judgeRunning } from '../support/judged-server.ts';

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
    const answer = await forward();
    const tree = /drives\/([^/]+)\/items\/tree\?(.*)/.exec(request.method === 'DELETE' ? (request.url ?? '') : '');
    const others = tree === null ? [] : [...filesOf(mock).keys()].filter((id) => id !== tree[1]);
    for (const id of others) await deleteTree(mock, id, tree?.[2] ?? '');
    write(response, answer);
  });
  const before = filesOf(mock);
  let driveId = '';
  const close = () => front.close().finally(() => mock.close());
  const { of } = await judgeRunning({ mock, baseUrl: front.baseUrl, close }, [], {
    config: { settleMs: 100 },
    declare: ({ disposableFiles = [], ...others }) => {
      driveId = disposableFiles[0]?.driveId ?? '';
      return { ...others, disposableFiles: disposableFiles.filter((file) => file.driveId === driveId) };
    },
  });
  expect(of('deleteDriveTree.file-below-is-gone')?.outcome).toBe('passed');
  const lost = [...filesOf(mock)].filter(([id, count]) => id !== driveId && count < (before.get(id) ?? 0));
  expect(lost).toEqual([]);
});
