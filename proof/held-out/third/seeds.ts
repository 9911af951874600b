// What both organizations have before the first request.
import type { OrganizationFacts } from '../catalogue.ts';
import type { Lab } from './engine.ts';
import { lastSegment, stamp } from './journal.ts';

const trees: readonly (readonly string[])[] = [
  [
    '/reports/2024/march/summary.txt',
    '/reports/2024/april.txt',
    '/reports/2025/may.txt',
    '/reports/index.md',
    '/reports/drafts/one.md',
    '/reports/drafts/two.md',
    '/reports/2024/march/deep/er/notes.txt',
    '/reports-old/2019.txt',
    '/reports2/plan.txt',
    '/reports.txt',
    '/rep/short.txt',
    '/media/logo.png',
    '/media/clips/intro.mp4',
    '/readme.md',
  ],
  ['/reports/index.md', '/reports/2024/april.txt', '/notes/a.txt', '/notes/b.txt'],
  ['/archive/x.bin', '/archive/y.bin', '/notes/a.txt'],
];
const kinds: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  png: 'image/png',
  mp4: 'video/mp4',
  bin: 'application/octet-stream',
};

export function plant(lab: Lab): [OrganizationFacts, OrganizationFacts] {
  let clock = lab.now() - 40 * 86_400_000;
  const tick = (): string => stamp((clock += 3_723_456));
  const plantFor = (which: number): OrganizationFacts => {
    const organization = { id: lab.newId('org'), key: lab.settings.makeKey(which + 1) };
    lab.organizations.push(organization);
    const org = organization.id;
    const agents: { id: string; revisionIds: string[] }[] = [];
    const drives: { id: string; files: { id: string }[] }[] = [];
    const mcpServers: { id: string }[] = [];
    for (const [n, name] of ['Greeter', 'Researcher', 'Bookkeeper', 'Translator', 'Novice'].entries()) {
      const id = lab.newId('agent');
      const revisions = [1, 2, 3].map(() => lab.newId('revision'));
      const time = tick();
      const isPublished = n < 3;
      lab.write(
        {
          type: 'agent-known',
          agent: {
            id,
            name,
            description: `${name} of organization ${which + 1}`,
            isPublished,
            hasChanges: true,
            createdAt: time,
            updatedAt: tick(),
          },
          revisions,
        },
        org,
      );
      agents.push({ id, revisionIds: revisions });
    }
    for (const [n, name] of ['Company files', 'Team files', 'Archive', 'Empty'].entries()) {
      const id = lab.newId('drive');
      const time = tick();
      lab.write(
        { type: 'drive-created', drive: { id, organizationId: org, name, createdAt: time, updatedAt: tick() } },
        org,
      );
      const files: { id: string }[] = [];
      for (const path of n === 0 ? [...(trees[0] ?? []), ...lab.settings.files] : (trees[n] ?? [])) {
        const file = lab.newId('file');
        lab.write(
          {
            type: 'file-known',
            driveId: id,
            file: {
              kind: 'file',
              id: file,
              name: lastSegment(path),
              path,
              status: path.endsWith('.mp4') ? 'error' : 'ready',
              modifiedAt: tick(),
              size: 100 + path.length * 37,
              contentType: kinds[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain',
              description: `The file ${lastSegment(path)}`,
              summary: 'A short summary.',
              metadata: { source: 'upload' },
            },
          },
          org,
        );
        files.push({ id: file });
      }
      if (files.length) drives.push({ id, files });
    }
    for (const [n, [name, url]] of (
      [
        ['Search', 'https://search.example.com/mcp'],
        ['Calendar', 'https://calendar.example.com/sse'],
        ['Bare', 'https://bare.example.com/mcp'],
      ] as const
    ).entries()) {
      const id = lab.newId('mcp');
      const time = tick();
      const tools =
        n === 2
          ? []
          : ['find', 'open', 'store', 'send', 'close'].map((tool) => ({
              name: `${name.toLowerCase()}_${tool}`,
              description: `Can ${tool} things.`,
            }));
      lab.write(
        {
          type: 'mcp-known',
          server: {
            id,
            organizationId: org,
            name,
            url,
            type: url.endsWith('/sse') ? 'sse' : 'streamableHttp',
            createdAt: time,
            updatedAt: tick(),
          },
          tools,
        },
        org,
      );
      if (tools.length) mcpServers.push({ id });
    }
    return { apiKey: organization.key, agents, drives, mcpServers };
  };
  return [plantFor(0), plantFor(1)];
}
