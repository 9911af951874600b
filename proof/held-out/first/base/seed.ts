import type { Application } from './application.ts';
import type { FileStatus } from './database.ts';
import type { Facts, OrganizationFacts } from './facts.ts';
import { lastSegment } from './services.ts';

interface OrganizationSeed {
  name: string;
  apiKey: string;
  agents: { name: string; revisions: number; active: number | null }[];
  drives: { name: string; files: string[] }[];
  servers: { name: string; url: string; tools: [name: string, description: string][] }[];
}

const numbered = (count: number, path: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => path(index + 1));

const seeds: [OrganizationSeed, OrganizationSeed] = [
  {
    name: 'Northwind',
    apiKey: 'nwK7fQ2mTz93LbXcVd58RhYs',
    agents: [
      { name: 'Support desk', revisions: 3, active: 1 },
      { name: 'Invoice reader', revisions: 2, active: null },
      { name: 'Recruiter', revisions: 2, active: 0 },
      { name: 'Draft agent', revisions: 2, active: null },
    ],
    drives: [
      {
        name: 'Handbook',
        files: [
          '/welcome.md',
          ...numbered(6, (n) => `/guides/guide-${n}.md`),
          ...numbered(5, (n) => `/guides/setup/step-${n}.md`),
          ...numbered(3, (n) => `/guides/setup/network/vpn/site-${n}.pdf`),
          ...numbered(4, (n) => `/guides-2023/guide-${n}.md`),
          '/people/team.csv',
          '/people/photos/team.png',
          '/people/photos/office.png',
          '/policies/travel.pdf',
          '/policies/security.pdf',
          '/archive/policies/travel.pdf',
        ],
      },
      {
        name: 'Projects',
        files: [
          ...numbered(5, (n) => `/apollo/specs/part-${n}.docx`),
          ...numbered(5, (n) => `/apollo/meetings/2024/week-${n}.txt`),
          '/gemini/plan.xlsx',
          '/gemini/budget.xlsx',
          '/readme.txt',
        ],
      },
      { name: 'Archive', files: ['/readme.txt', ...numbered(4, (n) => `/mail/inbox-${n}.mbox`)] },
      { name: 'Scratch', files: [] },
    ],
    servers: [
      {
        name: 'Weather',
        url: 'https://weather.example.com/mcp',
        tools: [
          ['forecast', 'Forecast for a place'],
          ['alerts', 'Warnings for a region'],
        ],
      },
      {
        name: 'Tickets',
        url: 'https://tickets.example.com/sse',
        tools: [
          ['search', 'Finds tickets'],
          ['create', 'Opens a ticket'],
          ['close', 'Closes a ticket'],
        ],
      },
      { name: 'Calendar', url: 'https://calendar.example.com/mcp', tools: [['list_events', 'Events of a day']] },
    ],
  },
  {
    name: 'Contoso',
    apiKey: 'cto-4Gw8.pLq1-Jx6NzEa70uBv',
    agents: [
      { name: 'Translator', revisions: 2, active: null },
      { name: 'Planner', revisions: 2, active: 0 },
    ],
    drives: [
      {
        name: 'Legal',
        files: ['/contracts/acme.pdf', '/contracts/2024/globex.pdf', '/contracts/2024/initech.pdf', '/notes.txt'],
      },
      { name: 'Design', files: ['/logos/main.svg', '/logos/dark.svg', '/guides/guide-1.md'] },
      { name: 'Drafts', files: ['/readme.txt'] },
    ],
    servers: [
      {
        name: 'Search',
        url: 'https://search.example.net/mcp',
        tools: [
          ['web', 'Searches the web'],
          ['news', 'Searches the news'],
        ],
      },
      { name: 'Mail', url: 'https://mail.example.net/sse', tools: [['send', 'Sends a message']] },
    ],
  },
];

const contentTypes: Record<string, string> = {
  md: 'text/markdown',
  pdf: 'application/pdf',
  csv: 'text/csv',
  png: 'image/png',
  txt: 'text/plain',
  svg: 'image/svg+xml',
  mbox: 'application/mbox',
};

/** Fills the store and returns what the owner of the server would tell a tester. */
export function seed(app: Application): Facts {
  return {
    treePathParameter: app.settings.treePathParameter,
    settleMs: app.settings.settleMs,
    organizations: [seedOrganization(app, seeds[0]), seedOrganization(app, seeds[1])],
  };
}

function seedOrganization(app: Application, plan: OrganizationSeed): OrganizationFacts {
  const { db, settings } = app;
  let minutes = 0;
  const past = (): Date => new Date(settings.now().getTime() - 30 * 86_400_000 + 60_000 * minutes++);
  const { id } = db.organizations.insert({ id: settings.newId('org'), name: plan.name });
  db.apiKeys.insert({ id: settings.newId('row'), organizationId: id, secret: plan.apiKey });

  const agents = plan.agents.map((agent) => {
    const agentId = settings.newId('agt');
    const revisionIds = numbered(agent.revisions, () => settings.newId('rev'));
    revisionIds.forEach((revisionId, index) => db.revisions.insert({ id: revisionId, agentId, number: index + 1 }));
    const activeRevisionId = agent.active === null ? null : (revisionIds[agent.active] ?? null);
    db.agents.insert({
      id: agentId,
      organizationId: id,
      name: agent.name,
      description: `${agent.name} of ${plan.name}`,
      activeRevisionId,
      hasChanges: agent.active !== agent.revisions - 1,
      createdAt: past(),
      updatedAt: past(),
    });
    return { id: agentId, revisionIds };
  });

  const drives = plan.drives.map((drive) => {
    const driveId = settings.newId('drv');
    const time = past();
    db.drives.insert({ id: driveId, organizationId: id, name: drive.name, createdAt: time, updatedAt: time });
    return {
      id: driveId,
      files: drive.files.map((path, index) => ({ id: seedFile(app, driveId, path, index, past()), path })),
    };
  });

  const mcpServers = plan.servers.map((server) => {
    const serverId = settings.newId('mcp');
    const time = past();
    db.mcpServers.insert({
      id: serverId,
      organizationId: id,
      name: server.name,
      url: server.url,
      type: server.url.endsWith('/sse') ? 'sse' : 'streamableHttp',
      createdAt: time,
      updatedAt: time,
    });
    for (const [name, description] of server.tools)
      db.tools.insert({ id: settings.newId('row'), serverId, name, description });
    return { id: serverId };
  });

  return { id, apiKey: plan.apiKey, agents, drives, mcpServers };
}

function seedFile(app: Application, driveId: string, path: string, index: number, modifiedAt: Date): string {
  const name = lastSegment(path);
  const status: FileStatus = index % 7 === 3 ? 'processing' : index % 7 === 5 ? 'error' : 'ready';
  return app.db.files.insert({
    id: app.settings.newId('fil'),
    driveId,
    name,
    path,
    status,
    modifiedAt,
    size: index === 9 ? 3_221_225_472 : 1_000 + 37 * index,
    contentType: contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    description: `The file ${name}`,
    summary: status === 'ready' ? `What ${name} says in short` : '',
    metadata: index % 5 === 4 ? {} : { pages: index + 1, tags: ['seed', `n${index}`] },
  }).id;
}
