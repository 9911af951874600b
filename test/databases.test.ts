import { describe, expect, it } from 'vitest';
import { judge } from './databases/judge.ts';
import { onSqlite } from './databases/mistakes.ts';

const servers = new Map(onSqlite().map((server) => [server.name, server]));

async function judged(name: string, only: string[] = []) {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`there is no ${name}`);
  return judge(await server.start(), only);
}

describe('a server on SQLite', () => {
  it('is judged conformant when it is correct', async () => {
    const { exitCode, findings, headline } = await judged('correct');
    expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
    expect(headline).toMatch(/^CONFORMANT: /);
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
});
