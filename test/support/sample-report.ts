import {
  type CheckResult,
  type Evidence,
  type Outcome,
  outcomes,
  type Report,
} from '../../conformance/report/report.ts';
import type { Exchange } from '../../conformance/target/reply.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';

const requirements = loadRequirements();
const baseUrl = 'https://staging.agents.example.com/v0.1';

/** The parts of a result that do not come from the register. */
type ResultFacts = Partial<CheckResult>;

/** The result of a check in the register. By default it passed. */
export function sampleResult(id: string, facts: ResultFacts = {}): CheckResult {
  const judged = requirements.filter(({ checks }) => checks?.includes(id));
  const outcome = facts.outcome ?? 'passed';
  const told = outcome === 'failed' || outcome === 'warned';
  return {
    id,
    requirement: judged[0]?.id ?? '',
    requirements: judged.map((requirement) => requirement.id),
    level: judged[0]?.level ?? 'must',
    operation: id.split('.')[0] as OperationId,
    outcome,
    reason: '',
    durationMs: 20 + ((id.length * 37) % 180),
    ...(told ? { required: judged.map(toRequired) } : {}),
    ...facts,
  };
}

function toRequired({ requirement, sources, pointer }: (typeof requirements)[number]) {
  const sections = [...new Set(sources.map((source) => source.split('/')[0] ?? ''))];
  return { text: requirement, sections, pointers: [pointer].flat() };
}

/** A report on these results. The rest follows from them by default. */
export function sampleReport(checks: CheckResult[], facts: Partial<Report> = {}): Report {
  const count = (outcome: Outcome) => checks.filter((check) => check.outcome === outcome).length;
  const summary = Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Report['summary'];
  const calm = summary.inconclusive > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict: summary.failed > 0 ? 'non-conformant' : calm,
    summary,
    checks,
    observed: {},
    samples: {},
    leftovers: [],
    expectedFailures: { stale: [], notJudged: [] },
    run: {
      id: 'k7m2x9',
      tool: 'agent-platform-contract 0.1.0',
      contractVersion: '0.1.0',
      baseUrl,
      startedAt: '2026-11-20T09:14:03.000Z',
      durationMs: 12_431,
      requests: 131,
      randomSeed: 20_260_701,
      allowWrites: true,
      allowDestructive: false,
    },
    ...facts,
  };
}

const driveId = '637fc2c0-603b-46ce-8145-f32fb750bbe3';
const fileUrl = `${baseUrl}/drives/${driveId}/files/7d1ea241-0ef8-4806-9c04-244b462fd64b`;

const answerHeaders = {
  date: 'Fri, 20 Nov 2026 09:14:09 GMT',
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_01JD4W8Q2V',
  server: 'envoy',
};

interface Exchanged {
  sent?: unknown;
  status: number;
  body: unknown;
  type?: string;
}

function exchange(method: string, url: string, { sent, status, body, type }: Exchanged): Exchange {
  const headers = {
    'x-api-key': '<API_KEY>',
    accept: 'application/json',
    'user-agent': 'agent-platform-contract/0.1.0',
  };
  const content =
    sent === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(sent) };
  return {
    request: { method, url, ...content },
    response: {
      status,
      headers: { ...answerHeaders, ...(type && { 'content-type': type }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    durationMs: 34,
  };
}

const file = {
  kind: 'file',
  id: '7d1ea241-0ef8-4806-9c04-244b462fd64b',
  name: 'meridian-logo.svg',
  path: '/logos/meridian-logo.svg',
  status: 'ready',
  modifiedAt: '2026-01-05T10:16:03.000Z',
  size: 6310,
  contentType: 'image/svg+xml',
  description: 'The logo for light backgrounds',
};

const acceptedPath: Evidence = {
  expected: 'a refusal: any 4xx status (the code is open), and the file stays where it was',
  actual: 'status 200; the file is now at "/../a"',
  smallest: '{"path":"/../a"}',
  exchanges: [
    ...['/conformance-k7m2x9/a', '/../a'].map((path) =>
      exchange('PATCH', fileUrl, { sent: { path }, status: 200, body: { ...file, name: 'a', path } }),
    ),
  ],
  curl: `curl -i -X PATCH -H "X-API-Key: $AGENT_PLATFORM_API_KEY" -H 'Content-Type: application/json' -d '{"path":"/../a"}' '${fileUrl}'`,
};

const errorPage = `<!doctype html>
<html><head><title>500 Internal Server Error</title></head>
<body><h1>Internal Server Error</h1><p>upstream connect error or disconnect/reset before headers. retried and the latest reset reason: connection timeout</p></body></html>`;

const refusedLimit: Evidence = {
  expected: 'a page of drives: any 2xx status but 204 and 205 (the code is open)',
  actual: 'status 500 with an HTML page',
  exchanges: [exchange('GET', `${baseUrl}/drives?limit=100`, { status: 500, body: errorPage, type: 'text/html' })],
  curl: `curl -i -H "X-API-Key: $AGENT_PLATFORM_API_KEY" '${baseUrl}/drives?limit=100'`,
};

const createdDrive = {
  id: '4b741fd3-7bdd-4940-9d7a-42ff43b44faf',
  organizationId: 'db1cd703-2da2-49d7-bc31-35fd66156c6f',
  name: 'conformance-k7m2x9-1',
  createdAt: '2026-11-20T10:14:08+01:00',
  updatedAt: '2026-11-20T10:14:08+01:00',
};

const localTime: Evidence = {
  expected: 'createdAt and updatedAt with the offset Z or +00:00',
  actual: 'createdAt is "2026-11-20T10:14:08+01:00"; updatedAt is "2026-11-20T10:14:08+01:00"',
  exchanges: [
    exchange('POST', `${baseUrl}/drives`, { sent: { name: 'conformance-k7m2x9-1' }, status: 201, body: createdDrive }),
  ],
  curl: `curl -i -H "X-API-Key: $AGENT_PLATFORM_API_KEY" -H 'Content-Type: application/json' -d '{"name":"conformance-k7m2x9-1"}' '${baseUrl}/drives'`,
};

const forbidden: Evidence = {
  expected: 'status 401',
  actual: 'status 403',
  exchanges: [exchange('GET', `${baseUrl}/agents`, { status: 403, body: { message: 'Forbidden' } })],
  curl: `curl -i '${baseUrl}/agents'`,
};

const textRefusal: Evidence = {
  expected: 'no body, or a body of JSON',
  actual: 'a body that is not JSON: "no such file"',
  exchanges: [
    exchange('GET', `${fileUrl.slice(0, -4)}0000`, { status: 404, body: 'no such file', type: 'text/plain' }),
  ],
};

const lagging: Evidence = {
  expected: 'pages that hold each drive once',
  actual: '2 drives stand on two pages: 637fc2c0 and 9f21ab07',
  exchanges: [
    exchange('GET', `${baseUrl}/drives?limit=2&offset=2`, {
      status: 200,
      body: { data: [createdDrive], pagination: { limit: 2, offset: 2, total: 5 } },
    }),
  ],
};

const needs = (setting: string, reason: string): ResultFacts => ({ outcome: 'not-enabled', reason, setting });
const needsDestruction = needs('--allow-destructive', 'It deletes a tree; --allow-destructive lets it.');
const needsSecondKey = needs(
  'keys.other in the config',
  'It needs a key of another organization; keys.other in the config names one.',
);
const needsAgent = needs(
  'publish.agentId and publish.revisionId in the config',
  'It needs an agent with a revision that may be published; publish.agentId in the config names one.',
);

const passedRules: Partial<Record<OperationId, string[]>> = {
  listAgents: ['is-served', 'status-is-200', 'answer-is-array', 'fields-present', 'header-key', 'bearer-key', 'no-key'],
  listDrives: ['is-served', 'answer-is-page', 'limit-one-page', 'offset-skips', 'created-drive'],
  createDrive: ['is-served', 'name-taken-over', 'fields-present'],
  getDriveFile: ['is-served', 'status-values'],
  updateDriveFile: ['path-taken-over', 'dot-dot-segment.middle', 'legal-dots.inside'],
  createMcpServer: ['type-values'],
  listMcpServers: ['is-served'],
  listMcpServerTools: ['unknown-server', 'tools-is-array'],
};
const passed = Object.entries(passedRules).flatMap(([operation, rules]) => rules.map((rule) => `${operation}.${rule}`));

const told: [string, ResultFacts][] = [
  [
    'updateDriveFile.dot-dot-segment.generated',
    { outcome: 'failed', reason: 'A path with a .. segment was honoured.', evidence: acceptedPath, durationMs: 840 },
  ],
  [
    'listDrives.limit-hundred-accepted',
    { outcome: 'failed', reason: 'A limit within the bounds was not accepted.', evidence: refusedLimit },
  ],
  ['createDrive.timestamps-are-utc', { outcome: 'failed', reason: 'A timestamp is not in UTC.', evidence: localTime }],
  ['listDrives.pages-fit-together', { outcome: 'warned', reason: 'Pages overlap.', evidence: lagging }],
  ['listAgents.no-key-is-401', { outcome: 'warned', reason: 'The refusal has another code.', evidence: forbidden }],
  [
    'getDriveFile.refusal-is-json',
    {
      outcome: 'warned',
      reason: 'A refusal is plain text.',
      evidence: textRefusal,
      expectedFailure: 'plain text until the gateway is replaced (PLAT-812)',
    },
  ],
  ['deleteDriveTree.is-served', needsDestruction],
  ['deleteDriveTree.fields-present', needsDestruction],
  ['deleteDriveTree.file-below-is-gone', needsDestruction],
  ['deleteDriveTree.dot-dot-segment.only', needsDestruction],
  ['listDrives.hides-other-organization', needsSecondKey],
  ['getDriveFile.foreign-resource', needsSecondKey],
  ['publishAgentRevision.is-served', needsAgent],
  ['publishAgentRevision.agent-becomes-published', needsAgent],
  ['listMcpServerTools.hosted-tools.sse', { outcome: 'skipped', reason: 'It was left out with --skip.' }],
];

/** A realistic report: three failures of different kinds, and something of everything else. */
export function believableReport(): Report {
  return sampleReport(
    [...passed.map((id) => sampleResult(id)), ...told.map(([id, facts]) => sampleResult(id, facts))],
    {
      observed: {
        'successStatus.createDrive': 201,
        'successStatus.getDriveFile': 200,
        'successStatus.updateDriveFile': 200,
        'unknownInput.bodyFields': 'ignored',
        'pagingDefaults.limit': 25,
        'oddPaging.outOfRange': 'clamped',
        listOrder: 'newestFirst',
        totalMeaning: 'all',
        idFormat: 'uuid',
        'timestamps.precision': 'seconds',
        errorBody: 'other',
        'errorStatus.invalidInput': 422,
        'errorStatus.notFound': 404,
        wwwAuthenticate: 'absent',
      },
      samples: { errorBody: '{"error_code":"E1042","error_text":"limit <out> of range | see docs"}' },
      leftovers: [
        { kind: 'drive', id: createdDrive.id, name: createdDrive.name, note: 'Created. No operation deletes a drive.' },
        {
          kind: 'mcpServer',
          id: 'a04d59b6-30d4-49b3-8b59-1f0c56a8d6f2',
          name: 'conformance-k7m2x9-2',
          note: 'Registered. No operation removes an MCP server.',
        },
        {
          kind: 'file',
          id: file.id,
          driveId,
          name: 'a',
          note: 'Moved to /../a; moving it back to /logos/meridian-logo.svg was refused with status 409.',
        },
      ],
      expectedFailures: { stale: ['listAgents.fields-present'], notJudged: ['publishAgentRevision.is-served'] },
    },
  );
}

/** A response that differs from what was expected. */
export const evidenceOf = (actual: string, status = 500) => ({
  expected: 'any 2xx status',
  actual,
  exchanges: [
    {
      request: { method: 'GET', url: `https://target.test/${actual}`, headers: {} },
      response: { status, headers: {}, body: 'oops' },
      durationMs: 5,
    },
  ],
});

/** The result of a failed check. */
export const failing = (id: string, actual: string, status?: number) =>
  sampleResult(id, { outcome: 'failed', evidence: evidenceOf(actual, status) });

/** `count` results with different names. */
export const many = (count: number, actual: (index: number) => string, status?: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => failing(`listAgents.case-${index}`, actual(index), status?.(index)));
