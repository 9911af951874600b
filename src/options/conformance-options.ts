/*
 * To add an option to the suite: here; pass it on in `src/cli/conformance-run.ts`. If it is a key of the config file too,
 * its default, bounds and help are in `conformance/config.schema.json`, its type and use in
 * `conformance/run/settings.ts`.
 */
import { readFileSync } from 'node:fs';
import { defineOptions, idleWith, inGroup, type Option } from '../../lib/options.ts';
import { colorOption, reportOptions } from './shared-options.ts';

type Spec = Partial<Option> & Pick<Option, 'kind'>;
type ConfigKey = { description: string; minimum?: number; maximum?: number; default?: number | boolean | string };

const schemaFile = new URL('../../conformance/config.schema.json', import.meta.url);
/** The keys of the config file of `conformance`. */
export const configKeys: Readonly<Record<string, ConfigKey>> = JSON.parse(readFileSync(schemaFile, 'utf8')).properties;

/** Options that are also config keys: bounds, default and help come from the config's schema. */
function fromConfig<const T extends Readonly<Record<string, Spec>>>(specs: T) {
  const filled = Object.entries(specs).map(([key, spec]) => {
    const { description: help, default: usual, minimum, maximum } = configKeys[key] ?? { description: '' };
    const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
    return [
      key,
      { help, ...bounds, ...(typeof usual !== 'boolean' && usual !== undefined && { default: usual }), ...spec },
    ];
  });
  return defineOptions(Object.fromEntries(filled) as { [Key in keyof T]: T[Key] & { help: string } });
}

const target = inGroup('Target', {
  ...fromConfig({
    baseUrl: { short: 'u', kind: 'text', placeholder: '<url>', isCommon: true },
    apiKey: { kind: 'text', placeholder: '<key>', secret: '<API_KEY>', isCommon: true },
    otherApiKey: { kind: 'text', placeholder: '<key>', secret: '<OTHER_API_KEY>', isCommon: true },
    headers: {
      name: 'header',
      kind: 'text',
      placeholder: "'<Name>: <value>'",
      isRepeatable: true,
      nameEnd: ':',
      separator: '\n',
      secret: '<header>',
      help: 'Header to send with every request, for example one that a gateway needs',
    },
    targetName: { kind: 'text', placeholder: '<name>' },
  }),
  ...defineOptions({
    config: {
      kind: 'file',
      isCommon: true,
      help: 'YAML or JSON file with settings and fixtures (data that the suite may use). Its schema is conformance/config.schema.json',
    },
  }),
});

// With these, nothing is judged; a dry run still plans.
const listing = ['list', 'explain'];
const planning = [...listing, 'dryRun'];

const permissions = inGroup('Changes', {
  ...idleWith(
    listing,
    fromConfig({ allowWrites: { kind: 'switch', isCommon: true }, allowDestructive: { kind: 'switch' } }),
  ),
  ...defineOptions({
    noAllowWrites: {
      kind: 'switch',
      overrides: ['allowWrites', 'allowDestructive'],
      idleWith: listing,
      help: 'Change nothing, even if the config or the environment allows changes',
    },
  }),
});

const limits = inGroup(
  'Requests',
  idleWith(
    listing,
    fromConfig({
      timeoutMs: { name: 'timeout', kind: 'integer', placeholder: '<ms>' },
      settleMs: { name: 'settle', kind: 'integer', placeholder: '<ms>' },
      maxRequests: { kind: 'integer' },
      timeLimitMs: { name: 'time-limit', kind: 'integer', placeholder: '<ms>' },
      rate: { kind: 'number', placeholder: '<requests per second>' },
      maxWaitMs: { name: 'max-wait', kind: 'integer', placeholder: '<ms>' },
      concurrency: { kind: 'integer' },
      requestIdHeader: { kind: 'text', placeholder: '<name>' },
    }),
  ),
);

const hostedMcp = inGroup(
  'Real MCP server',
  idleWith(
    listing,
    fromConfig({ hostMcpServer: { kind: 'switch' }, hostMcpUrl: { kind: 'text', placeholder: '<url>' } }),
  ),
);

/** The options of `agent-platform-contract conformance`. Parser, help, documents and types derive from this table. */
export const conformanceFlags = {
  ...target,
  ...permissions,
  ...inGroup('Checks', {
    ...defineOptions({
      only: {
        kind: 'text',
        placeholder: '<check>',
        isRepeatable: true,
        idleWith: ['explain'],
        isCommon: true,
        help: 'Run only these checks, separated by commas; * matches any text',
      },
      skip: {
        kind: 'text',
        placeholder: '<check>',
        isRepeatable: true,
        idleWith: ['explain'],
        help: 'Skip these checks, separated by commas; * matches any text',
      },
      failed: {
        kind: 'text',
        placeholder: '<report.json>',
        bare: 'last',
        contradicts: ['only', 'list', 'explain'],
        isCommon: true,
        help: 'Rerun checks that this JSON report (default: latest) lists as failed, warned, inconclusive or not enabled. The latest is the file of --json or the JSON report in --report-dir, whichever is newer',
      },
      list: {
        kind: 'switch',
        contradicts: ['explain', 'dryRun'],
        isCommon: true,
        help: 'List the checks: what each needs and changes. Shows their ids and levels too',
      },
      explain: {
        kind: 'text',
        placeholder: '<check>',
        contradicts: ['dryRun'],
        help: 'Describe one check: what it judges, needs and changes',
      },
      dryRun: { kind: 'switch', help: 'Show which checks would run and what they would change. Sends no request' },
      watch: {
        kind: 'switch',
        contradicts: ['list', 'explain', 'dryRun', 'failed'],
        help: 'Rerun each time you press Enter: first the checks that failed and, once they pass, all. Needs a terminal. Ctrl+C ends it',
      },
      watchPath: {
        kind: 'file',
        placeholder: '<file or folder>',
        isRepeatable: true,
        contradicts: ['list', 'explain', 'dryRun', 'failed'],
        help: 'Like --watch, and also rerun when this file or folder changes',
      },
    }),
    ...idleWith(
      listing,
      fromConfig({ randomSeed: { kind: 'integer' }, walk: { kind: 'integer' }, volume: { kind: 'switch' } }),
    ),
  }),
  ...defineOptions(
    inGroup('Verdict', {
      strict: {
        kind: 'switch',
        idleWith: planning,
        isCommon: true,
        help: 'Also exit with 1 if a check warned or is not enabled; the verdict does not change',
      },
      require: {
        kind: 'text',
        placeholder: '<open point>=<choice>',
        isRepeatable: true,
        nameEnd: '=',
        contradicts: ['noObserve'],
        idleWith: listing,
        help: 'Fail the run unless the target makes this choice. Also takes a profile file',
      },
      expectedFailures: {
        kind: 'file',
        idleWith: planning,
        isCommon: true,
        help: 'YAML or JSON list of expected failures. Each entry has the keys check (* matches any text) and reason, and optionally until and flaky',
      },
      writeExpectedFailures: {
        kind: 'file',
        idleWith: planning,
        help: 'Write an updated list of expected failures to this file: add what failed (with --strict also what warned), remove what no longer fails, keep the rest. Starts from the list of --expected-failures or, without that option, from this file',
      },
    }),
  ),
  ...limits,
  ...hostedMcp,
  ...defineOptions(
    inGroup('Output', {
      ...idleWith(planning, reportOptions('junit, html, markdown, json', 'conformance-report')),
      observe: {
        kind: 'file',
        idleWith: planning,
        isCommon: true,
        help: "Write the target's choices for open points (unspecified behaviour) to this file. Use it as the --profile of the mock",
      },
      noObserve: {
        kind: 'switch',
        contradicts: ['observe'],
        idleWith: listing,
        help: 'Do not observe which choices the target makes. Saves requests and, with --allow-writes, creations. This is the default with --only or --skip unless --observe is set; choices in --require are still observed',
      },
      moveLog: {
        kind: 'file',
        defaultText: 'a new file in the temporary directory',
        idleWith: planning,
        help: 'Record every file move here before sending it, for conformance restore. The file must not exist yet; the suite removes it once all files are back',
      },
      trace: {
        kind: 'file',
        placeholder: '<file.har>',
        idleWith: planning,
        help: 'Write each exchange to a HAR 1.2 file as soon as it is complete, without keys. The file is readable even if the run is killed',
      },
      ...colorOption,
    }),
  ),
};

const { baseUrl, apiKey, otherApiKey, headers, config } = target;
const { timeoutMs, settleMs } = limits;
const { color } = inGroup('Output', colorOption);

// The doctor only reads: these decide which checks it counts as enabled.
const counted = {
  allowWrites: {
    ...permissions.allowWrites,
    help: 'Count checks as if creations, publications and file moves were allowed. The doctor itself only reads',
  },
  allowDestructive: {
    ...permissions.allowDestructive,
    help: 'Count checks as if deleting the disposable files named in the config were allowed. Writes must be allowed too, and the config must set openPoints.treePathParameter',
  },
  noAllowWrites: {
    ...permissions.noAllowWrites,
    help: 'Count only checks that need no writes, even if the config or the environment allows more',
  },
  hostMcpServer: {
    ...hostedMcp.hostMcpServer,
    help: 'Count checks as if the suite started a real MCP server. The doctor starts none',
  },
  hostMcpUrl: {
    ...hostedMcp.hostMcpUrl,
    help: 'URL at which a target on another machine would reach that MCP server. Also counts as --host-mcp-server',
  },
};

const { settleMs: _settleMs, ...ofReadings } = limits;
const readingLimits = {
  ...ofReadings,
  maxRequests: { ...limits.maxRequests, help: 'Maximum number of requests. When it is reached, the doctor stops' },
  timeLimitMs: {
    ...limits.timeLimitMs,
    help: 'Time limit for everything the doctor does, in milliseconds. When it is reached, the doctor stops',
  },
};

/** The options of `agent-platform-contract conformance doctor`. */
export const doctorFlags = {
  ...target,
  ...counted,
  ...readingLimits,
  ...defineOptions(
    inGroup('Output', {
      writeConfig: {
        kind: 'file',
        isCommon: true,
        help: 'Write the suggested config to this YAML file instead of printing it. The file must not exist',
      },
    }),
  ),
  color,
};

/** The options of `agent-platform-contract conformance restore`. */
export const restoreFlags = {
  baseUrl,
  apiKey,
  otherApiKey,
  headers,
  config,
  ...defineOptions(
    inGroup('Target', {
      anyBaseUrl: {
        kind: 'switch',
        isCommon: true,
        help: 'Move files back on the server at --base-url even if the move log names a different one',
      },
    }),
  ),
  timeoutMs,
  settleMs: {
    ...settleMs,
    help: 'Time within which a move becomes visible, in milliseconds. restore waits that long after the last move of the run, and polls after each move of its own',
  },
  color,
};

/** The options of `agent-platform-contract conformance compare`. */
export const compareFlags = { color: { ...color, isCommon: true as const } };
