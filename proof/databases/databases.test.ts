import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import { onExpress, onSqlite } from './mistakes.ts';

async function judged(name: string, only: string[] = [], servers = onSqlite()) {
  const server = servers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`there is no ${name}`);
  return judge(await server.start(), only);
}

describe('a server on SQLite', () => {
  it('is judged conformant when it is correct', async () => {
    const { exitCode, findings, headline } = await judged('correct');
    expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
    expect(headline).toMatch(/^CONFORMANT in \d+ of \d+ checks; 2 need --host-mcp-server$/);
  });

  it.each([
    ['job-id-is-a-row-number', 'deleteDriveTree.ids-are-strings'],
    ['offset-between', 'listDrives.offset-skips'],
    ['shared-content-cascades', 'deleteDriveTree.file-beside-is-kept'],
  ])('is failed when it has the mistake %s', async (name, check) => {
    const { exitCode, findings } = await judged(name, [check]);
    expect(exitCode).toBe(1);
    expect(findings.map(({ id }) => id)).toEqual([check]);
  });

  it.each([
    [
      'keys-collate-nocase',
      ['createDrive.near-key.others'],
      /^any non-2xx status for the key in a different letter case \| status 200: the request was accepted$/,
    ],
    [
      'database-is-locked',
      ['createDrive.no-server-error', 'listDrives.parallel-creations'],
      /\| status 500 .*for requests that were sent at the same time as other createDrive requests; sent alone, such requests succeed$/,
    ],
    [
      'negative-limit-is-no-limit',
      ['listDrives.limit-negative-page'],
      /^an error response to limit=-1, or .* \| limit: -1, and \d+ drives$/,
    ],
    [
      'tree-like-ignores-case',
      ['deleteDriveTree.file-beside-is-kept.case'],
      /^the file at \/\S+\/V1\.0_A\/\S+ is still there: it is not in \/\S+\/v1\.0_a \| status 404: it is gone$/,
    ],
  ])('with the mistake %s gets a message that leads there', async (name, checks, message) => {
    const { findings } = await judged(name, checks);
    const { expected = '', actual = '' } = findings[0]?.evidence ?? {};
    expect(`${expected} | ${actual}`).toMatch(message);
    for (const secret of ['Harbor-7f3K_92xQ.mTz81', 'HARBOR-7F3K_92XQ.MTZ81']) {
      expect(JSON.stringify(findings)).not.toContain(secret);
    }
  });
});

describe('a server with Express', () => {
  it('is judged conformant when it is correct', async () => {
    const { exitCode, findings } = await judged('correct', [], onExpress());
    expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  });

  it.each([
    [
      'prefix-without-a-slash',
      ['deleteDriveTree.file-beside-is-kept'],
      /^every file outside \/\S+\/tree still there \| 1 gone or moved, such as \/\S+\/tree-2\/beside\.md$/,
    ],
    [
      'tree-of-all-drives',
      ['deleteDriveTree.file-beside-is-kept'],
      /^every file outside \/\S+\/tree still there \| 1 gone or moved, such as \/\S+\/tree\/below\.md in the drive \S+$/,
    ],
    [
      'tree-of-all-drives',
      ['deleteDriveTree.file-beside-is-kept.other-drive'],
      /^the file at \/\S+\/tree\/below\.md is still there: it is in the drive \S+ \| status 404: it is gone$/,
    ],
    [
      'file-of-any-drive',
      ['getDriveFile.foreign-resource'],
      /^any non-2xx status: it belongs to another organization \| status 200, under a drive of the other organization$/,
    ],
    [
      'second-publication-fails',
      ['publishAgentRevision.*'],
      /^a status below 500 .* \| \d+ of \d+ failed: status 500\. The same request succeeded once before, but never again$/,
    ],
  ])('with the mistake %s gets a message that leads there', async (name, checks, message) => {
    const { exitCode, findings } = await judged(name, checks, onExpress());
    const { expected = '', actual = '' } = findings[0]?.evidence ?? {};
    expect(`${expected} | ${actual}`).toMatch(message);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['unread-body-crashes', ['createDrive.*']],
    ['unknown-drive-crashes', ['getDriveFile.*', 'updateDriveFile.*']],
    ['unknown-file-crashes', ['getDriveFile.*', 'deleteDriveTree.file-below-is-gone']],
    ['taken-name-crashes', ['createDrive.is-served', 'createDrive.no-server-error', 'listDrives.namesake-kept']],
  ])('with the mistake %s is not told that it fails on valid requests', async (name, checks) => {
    const { findings } = await judged(name, checks, onExpress());
    expect(findings.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(findings.map(({ id }) => id)).toContainEqual(expect.stringMatching(/\.no-server-error$/));
  });
});
