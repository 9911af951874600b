import type { DriveFile, Machine, Org } from './model.ts';

const TREE = [
  '/reports/2024/Q1 summary.pdf',
  '/reports/2024/Q2 summary.pdf',
  '/reports/2025/plan_v1.2.final.docx',
  '/reports-old/2019/archive.zip',
  '/Reports/Board/minutes.txt',
  '/a_b/one.csv',
  '/aXb/two.csv',
  '/100%/sales%20figures.xlsx',
  '/deep/er/and/deeper/still/going/down/to/the/bottom/note.md',
  '/Übersicht/Größe – Maße.ods',
  '/資料/議事録.txt',
  `/long/${'quarterly-results-'.repeat(8)}draft.txt`,
  '/readme.md',
  '/data.v2/.hidden',
  '/team notes/Kick off.txt',
  '/reports/index.html',
];
const SMALL = ['/reports/2024/Q1 summary.pdf', '/inbox/Hello World.txt', '/a_b/one.csv', '/notes.txt'];
const STATUSES = ['ready', 'processing', 'error', 'ready'] as const;
const TYPES = ['application/pdf', 'text/plain', 'text/csv', 'application/octet-stream'];

function stamp(day: number): string {
  return new Date(Date.UTC(2024, 2, 29, 22, 15, 30, 120) + day * 86_400_000).toISOString();
}

function seedFile(m: Machine, org: Org, driveId: string, path: string, index: number): void {
  const file: DriveFile = {
    id: m.newId('fil'),
    driveId,
    name: path.split('/').at(-1) ?? path,
    path,
    status: STATUSES[index % 4] ?? 'ready',
    modifiedAt: stamp(index * 3),
    size: index === 3 ? 0 : 5_000_000_000 + index * 7919,
    contentType: TYPES[index % 4] ?? 'text/plain',
    description: index % 3 === 0 ? '' : `Document no. ${index}`,
    summary: `What “${path}” says`,
    metadata: { pages: index + 1, tags: ['seed'], nested: { by: 'import' } },
  };
  m.append(org, { type: 'FileAdded', file });
}

function seedDrive(m: Machine, org: Org, name: string, day: number, paths: string[]): void {
  const id = m.newId('drv');
  const at = { createdAt: stamp(day), updatedAt: stamp(day + 1) };
  m.append(org, { type: 'DriveCreated', drive: { id, organizationId: org.id, name, ...at } });
  paths.forEach((path, index) => {
    seedFile(m, org, id, path, index);
  });
}

function seedAgent(m: Machine, org: Org, name: string, day: number, active: number): void {
  const revisionIds = [m.newId('rev'), m.newId('rev'), m.newId('rev')];
  const id = m.newId('agt');
  const at = { createdAt: stamp(day), updatedAt: stamp(day + 2) };
  const description = `Helps with ${name.toLowerCase()}`;
  const agent = { id, name, description, hasChanges: active !== 2, ...at, revisionIds };
  m.append(org, { type: 'AgentAdded', agent });
  const revisionId = revisionIds[active];
  if (!revisionId) return;
  m.append(org, { type: 'RevisionPublished', agentId: id, revisionId, at: stamp(day + 2) });
}

function seedServer(m: Machine, org: Org, name: string, url: string, day: number): void {
  const at = { createdAt: stamp(day), updatedAt: stamp(day) };
  const tools = [
    { name: 'search_documents', description: 'Finds documents by words' },
    { name: 'get-weather', description: 'Tells “the weather” of a place' },
    { name: 'Sum', description: '' },
  ];
  const type = day % 2 === 0 ? ('sse' as const) : ('streamableHttp' as const);
  const server = { id: m.newId('mcp'), organizationId: org.id, name, url, type, ...at, tools };
  m.append(org, { type: 'ServerRegistered', server });
}

function seedOrg(m: Machine, index: number): void {
  const view = { agents: new Map(), drives: new Map(), files: new Map(), servers: new Map() };
  const org: Org = { id: m.newId('org'), index, key: m.newKey(index), log: [], view };
  m.orgs.push(org);
  seedAgent(m, org, 'Invoices & Receipts', 1, -1);
  seedAgent(m, org, 'Überprüfung', 4, 0);
  seedAgent(m, org, 'Travel_desk 2', 9, 2);
  seedAgent(m, org, 'Night shift', 11, -1);
  seedDrive(m, org, 'Shared Documents', 0, TREE);
  seedDrive(m, org, 'Büro – Ablage', 5, SMALL);
  seedDrive(m, org, 'a_b (copy).v2', 7, SMALL);
  seedDrive(m, org, 'zeta', 3, SMALL);
  for (let n = 0; n < m.extraDrives; n += 1) seedDrive(m, org, `Project ${n}`, 10 + n, []);
  seedServer(m, org, 'Weather', 'https://weather.example.com/mcp', 2);
  seedServer(m, org, 'Dokumente', 'http://tools.example.org:8080/v1/MCP?tenant=a%20b', 3);
  seedServer(m, org, 'Finance_tools', 'https://finance.example.net/sse/', 6);
}

export function seed(m: Machine): void {
  seedOrg(m, 0);
  seedOrg(m, 1);
  for (const act of m.onSeeded) act();
}
