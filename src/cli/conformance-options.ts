import { readFileSync } from 'node:fs';
import { defineOptions, type Option } from '../../openapi/contract/options.ts';
import { colorOption, reportOptions } from './shared-options.ts';

type Spec = Partial<Option> & Pick<Option, 'kind'>;
type ConfigKey = { description: string; minimum?: number; maximum?: number; default?: number | boolean };

const schemaFile = new URL('../../conformance/config.schema.json', import.meta.url);
/** The keys of the config file of `conformance`. */
export const configKeys: Readonly<Record<string, ConfigKey>> = JSON.parse(readFileSync(schemaFile, 'utf8')).properties;

/** Options that are also config keys: bounds, default and help come from the schema of the config. */
function fromConfig<const T extends Readonly<Record<string, Spec>>>(specs: T) {
  const filled = Object.entries(specs).map(([key, spec]) => {
    const { description: help, default: usual, minimum, maximum } = configKeys[key] ?? { description: '' };
    const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
    return [key, { help, ...bounds, ...(typeof usual === 'number' && { default: usual }), ...spec }];
  });
  return defineOptions(Object.fromEntries(filled) as { [Key in keyof T]: T[Key] & { help: string } });
}

const target = {
  ...fromConfig({
    baseUrl: { short: 'u', kind: 'text', placeholder: '<url>' },
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
};

const limits = fromConfig({
  timeoutMs: { name: 'timeout', kind: 'integer', placeholder: '<ms>' },
  settleMs: { name: 'settle', kind: 'integer', placeholder: '<ms>' },
  maxRequests: { kind: 'integer', placeholder: '<number>' },
  hostMcpServer: { kind: 'switch' },
  hostMcpUrl: { kind: 'text', placeholder: '<url>' },
});

/** The options of `agent-platform conformance`. Parser, help, documents and typed values derive from this table. */
export const conformanceFlags = {
  ...target,
  ...defineOptions({
    only: { kind: 'text', placeholder: '<check>', isRepeatable: true, help: 'Run only this check; * matches any text' },
    skip: { kind: 'text', placeholder: '<check>', isRepeatable: true, help: 'Skip this check; * matches any text' },
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
      help: 'Also exit with 1 when a check warned or is unverified. The verdict does not change',
    },
    expectedFailures: {
      kind: 'text',
      placeholder: '<file>',
      help: 'A YAML or JSON list of known failures: check, reason and, optionally, until',
    },
  }),
  ...limits,
  ...fromConfig({ randomSeed: { kind: 'integer', placeholder: '<number>' } }),
  ...reportOptions('junit, html, markdown, json', 'conformance-report'),
  ...defineOptions({
    observe: {
      kind: 'text',
      placeholder: '<file>',
      help: 'Write what the target chose at open points: a profile for agent-platform mock --profile',
    },
    noObserve: {
      kind: 'switch',
      contradicts: ['observe'],
      help: 'Do not observe open points; the run then leaves less behind. Runs with --only or --skip observe only with --observe',
    },
  }),
  ...colorOption,
};

/** The options of `agent-platform conformance doctor`. Parser, help, documents and typed values derive from this table. */
export const doctorFlags = { ...target, ...limits, ...colorOption };

/** The options of `agent-platform conformance compare`. Parser, help, documents and typed values derive from this table. */
export const compareFlags = colorOption;
