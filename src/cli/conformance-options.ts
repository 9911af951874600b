/*
 * To add an option of the suite: here; hand it on in `conformance-run.ts` and `conformance-round.ts`. If it is a
 * config key too: `conformance/config.schema.json` and `conformance/config/settings.ts`.
 */
import { readFileSync } from 'node:fs';
import { defineOptions, type Option } from '../../openapi/contract/options.ts';
import { colorOption, reportOptions } from './shared-options.ts';

type Spec = Partial<Option> & Pick<Option, 'kind'>;
type ConfigKey = { description: string; minimum?: number; maximum?: number; default?: number | boolean | string };

const schemaFile = new URL('../../conformance/config.schema.json', import.meta.url);
/** The keys of the config file of `conformance`. */
export const configKeys: Readonly<Record<string, ConfigKey>> = JSON.parse(readFileSync(schemaFile, 'utf8')).properties;

/** Options that are also config keys: bounds, default and help come from the schema of the config. */
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

const target = {
  ...fromConfig({
    baseUrl: { short: 'u', kind: 'text', placeholder: '<url>' },
    targetName: { kind: 'text', placeholder: '<name>' },
    apiKey: { kind: 'text', placeholder: '<key>', secret: '<API_KEY>' },
    otherApiKey: { kind: 'text', placeholder: '<key>', secret: '<OTHER_API_KEY>' },
    headers: {
      name: 'header',
      kind: 'text',
      placeholder: "'<Name>: <value>'",
      isRepeatable: true,
      nameEnd: ':',
      separator: '\n',
      secret: '<header>',
      help: 'A header to send with every request, for example for a gateway',
    },
  }),
  ...defineOptions({
    config: {
      kind: 'text',
      placeholder: '<file>',
      help: 'A YAML or JSON file with these settings and fixtures. Its schema is conformance/config.schema.json',
    },
  }),
  ...fromConfig({ allowWrites: { kind: 'switch' }, allowDestructive: { kind: 'switch' } }),
  ...defineOptions({
    noAllowWrites: { kind: 'switch', help: 'Only read, whatever the config or the environment allows' },
  }),
};

const limits = fromConfig({
  timeoutMs: { name: 'timeout', kind: 'integer', placeholder: '<ms>' },
  settleMs: { name: 'settle', kind: 'integer', placeholder: '<ms>' },
  maxRequests: { kind: 'integer', placeholder: '<number>' },
  timeLimitMs: { name: 'time-limit', kind: 'integer', placeholder: '<ms>' },
  rate: { kind: 'number', placeholder: '<requests per second>' },
  maxWaitMs: { name: 'max-wait', kind: 'integer', placeholder: '<ms>' },
  concurrency: { kind: 'integer', placeholder: '<number>' },
  requestIdHeader: { kind: 'text', placeholder: '<name>' },
  hostMcpServer: { kind: 'switch' },
  hostMcpUrl: { kind: 'text', placeholder: '<url>' },
});

/** The options of `agent-platform-contract conformance`. Parser, help, documents and typed values derive from this table. */
export const conformanceFlags = {
  ...target,
  ...defineOptions({
    only: { kind: 'text', placeholder: '<check>', isRepeatable: true, help: 'Run only this check; * matches any text' },
    skip: { kind: 'text', placeholder: '<check>', isRepeatable: true, help: 'Skip this check; * matches any text' },
    failed: {
      kind: 'text',
      placeholder: '<report.json>',
      bare: 'last',
      contradicts: ['only', 'list', 'explain'],
      help: 'Run again what failed, warned or was not judged in a JSON report. Without a value: the newer of the files that --json and --report json of this command line write',
    },
    list: {
      kind: 'switch',
      contradicts: ['explain', 'dryRun'],
      help: 'List the checks: id, level, what each needs and does',
    },
    explain: {
      kind: 'text',
      placeholder: '<check>',
      contradicts: ['dryRun'],
      help: 'Describe one check: what it judges, needs and changes',
    },
    dryRun: { kind: 'switch', help: 'Show which checks would run and what they would change. Send no request' },
    strict: {
      kind: 'switch',
      help: 'Also exit with 1 when a check warned or is not enabled. The verdict does not change',
    },
    require: {
      kind: 'text',
      placeholder: '<open point>=<choice>',
      isRepeatable: true,
      nameEnd: '=',
      contradicts: ['noObserve'],
      help: 'A choice at an open point that the run must see; another one, or none, fails the run. Or a profile file',
    },
    expectedFailures: {
      kind: 'text',
      placeholder: '<file>',
      help: 'A YAML or JSON list of known failures: check (* matches any text), reason and, optionally, until and flaky',
    },
    writeExpectedFailures: {
      kind: 'text',
      placeholder: '<file>',
      help: 'Bring a list of known failures up to date: add what failed (with --strict also what warned), drop what did not, keep the rest. Starts from --expected-failures, or from this file',
    },
    watch: {
      kind: 'switch',
      contradicts: ['list', 'explain', 'dryRun', 'failed'],
      help: 'Run again each time you press Enter: first what failed, then everything. Needs a terminal. Ctrl+C ends it',
    },
    watchPath: {
      kind: 'text',
      placeholder: '<file or folder>',
      isRepeatable: true,
      contradicts: ['list', 'explain', 'dryRun', 'failed'],
      help: 'Like --watch, and also run again when this file or folder changes',
    },
  }),
  ...limits,
  ...fromConfig({ randomSeed: { kind: 'integer', placeholder: '<number>' } }),
  ...reportOptions('junit, html, markdown, json', 'conformance-report'),
  ...defineOptions({
    moveLog: {
      kind: 'text',
      placeholder: '<file>',
      defaultText: 'a new file in the temporary directory',
      help: 'Note every move here before it is sent, for conformance restore. Removed once all files are back. The file must not exist',
    },
    trace: {
      kind: 'text',
      placeholder: '<file.har>',
      help: 'Write every exchange of the run to a HAR 1.2 file as it ends, without keys. It can be read even if the run is killed',
    },
    observe: {
      kind: 'text',
      placeholder: '<file>',
      help: 'Write what the target chose at open points: a profile for agent-platform-contract mock --profile',
    },
    noObserve: {
      kind: 'switch',
      contradicts: ['observe'],
      help: 'Do not observe open points; the run then leaves less behind. Runs with --only or --skip observe only with --observe',
    },
  }),
  ...colorOption,
};

const { baseUrl, apiKey, otherApiKey, headers, config } = target;
const { timeoutMs, settleMs } = limits;

/** The options of `agent-platform-contract conformance doctor`. Parser, help, documents and typed values derive from this table. */
export const doctorFlags = {
  ...target,
  ...limits,
  ...defineOptions({
    writeConfig: {
      kind: 'text',
      placeholder: '<file>',
      help: 'Write the config to fill in to this YAML file, which must not exist, in place of printing it',
    },
  }),
  ...colorOption,
};

/** The options of `agent-platform-contract conformance restore`. Parser, help, documents and typed values derive from this table. */
export const restoreFlags = {
  baseUrl,
  apiKey,
  otherApiKey,
  headers,
  config,
  timeoutMs,
  settleMs,
  ...defineOptions({
    anyBaseUrl: {
      kind: 'switch',
      help: 'Move files back on the server of --base-url although the move log names another one',
    },
  }),
  ...colorOption,
};

/** The options of `agent-platform-contract conformance compare`. Parser, help, documents and typed values derive from this table. */
export const compareFlags = colorOption;
