import { type CheckResult, type Outcome, outcomes, type Report } from '../../conformance/report/report.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import {
  acceptedPath,
  baseUrl,
  createdDrive,
  driveId,
  evidenceOf,
  file,
  forbidden,
  lagging,
  localTime,
  refusedLimit,
  textRefusal,
} from './sample-evidence.ts';

const requirements = loadRequirements();

/** The parts of a result that do not come from the register. */
export type ResultFacts = Partial<CheckResult>;

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

/** The result of a failed check. */
export const failing = (id: string, actual: string, status?: number) =>
  sampleResult(id, { outcome: 'failed', evidence: evidenceOf(actual, status) });

/** `count` results with different names. */
export const many = (count: number, actual: (index: number) => string, status?: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => failing(`listAgents.case-${index}`, actual(index), status?.(index)));
