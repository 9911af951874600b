import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunOptions, runSuite } from '../../conformance/run/run.ts';
import { loadConfig, resolveSettings, toSettings } from '../../conformance/run/settings.ts';
import { conformanceFlags } from '../../src/options/conformance-options.ts';
import { createFolder } from '../support/folder.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

const { at, write } = createFolder('config');

const given = { baseUrl: 'http://127.0.0.1:1/v0.1', apiKey: 'key-a' };

it('a library function refuses options that do not exist', async () => {
  const run = runSuite(toSettings(given), { tool: 'test', onlly: [] } as RunOptions);
  await expect(run).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringMatching(/There is no option onlly \(did you mean only\?\)/),
  });
});

describe('a config file', () => {
  it('may be YAML or JSON', () => {
    const config = { baseUrl: 'https://example.com/v0.1', settleMs: 200, fixtures: { mcpServer: { id: '7' } } };
    expect(loadConfig(write('a.json', JSON.stringify(config, null, '\t')))).toEqual(config);
    const yaml = 'baseUrl: https://example.com/v0.1\nsettleMs: 200\nfixtures:\n  mcpServer: { id: "7" }\n';
    expect(loadConfig(write('a.yaml', yaml))).toEqual(config);
  });

  it('may name its schema', () => {
    expect(loadConfig(write('schema.json', '{ "$schema": "x.json", "allowWrites": true }'))).toEqual({
      allowWrites: true,
    });
  });

  it('has a schema with every setting', () => {
    const file = join(import.meta.dirname, '../../conformance/config.schema.json');
    const { $schema: _, openPoints, commands: __, ...known } = JSON.parse(readFileSync(file, 'utf8')).properties;
    const { given: _given, ...settings } = resolveSettings({}, given);
    expect([...Object.keys(known), ...Object.keys(openPoints.properties)].sort()).toEqual(Object.keys(settings).sort());
  });

  const aliasBomb = Array.from('bcdefghij', (name, index) => {
    const items = Array(10).fill(index === 0 ? 'a' : `*${'abcdefghij'[index]}`);
    return `${name}: &${name} [${items.join(', ')}]\n`;
  }).join('');

  const faulty: [text: string, RegExp][] = [
    ['apiKey: [1\nbaseUrl: 2', /x:2:\d+ is not YAML or JSON: /],
    ['- a\n', /x:1:1 the file must be an object/],
    ['', /x is empty\./],
    ['apiKey: *nothing\n', /x:1:9 is not YAML or JSON: an alias/],
    [aliasBomb, /x:1:1 is not YAML or JSON: its aliases \(\*\) expand to/],
    ['apiKey: a\nbaseUrl: \0\n', /x:2:10 is not YAML or JSON: it contains the control character U\+0000/],
    ['{ "only": [] }', /x:1:\d+ only is not a known field \(known: /],
    ['baseURL: http://x\n', /x:1:\d+ baseURL is not a known field \(did you mean baseUrl\?\)/],
    [
      '{\n  // a comment\n  "baseUrl": "http://x" }',
      /x:2:\d+ \/\/ a comment "baseUrl" is read as a field: JSON has no comments/,
    ],
    ['fixtures:\n  file: []\n', /x:2:\d+ fixtures\.file is not a known field \(did you mean files\?\)/],
    ['fixtures:\n  mcpServer:\n    id: 0123\n', /x:3:9 fixtures\.mcpServer\.id must be a string; put it in quotes/],
    ['fixtures: { mcpServer: { id: "" } }\n', /fixtures\.mcpServer\.id must have at least 1 character/],
    ['fixtures:\n  agent: { id: a }\n', /x:2:\d+ fixtures\.agent\.revisionId is required/],
    ['allowWrites: "yes"\n', /x:1:14 allowWrites must be true or false/],
    ['settleMs: -1\n', /x:1:11 settleMs must be a whole number from 0 to 3600000/],
    ['timeoutMs: 0\n', /x:1:12 timeoutMs must be a whole number from 1 to 3600000/],
    ['baseUrl: ftp://example.com/v0.1\n', /x:1:10 baseUrl must start with http:\/\/ or https:\/\//],
    [
      'openPoints: { successStatus.createDrive: 200 }\n',
      /openPoints\.successStatus\.createDrive is not a known field \(known: treePathParameter, foreignResources\)/,
    ],
    ['openPoints: { treePathParameter: "" }\n', /x:1:34 openPoints\.treePathParameter is invalid: "" is not a choice/],
    [
      'openPoints: { treePathParameter: FILL IN }\nfixtures:\n  files: [{ driveId: a, id: FILL IN }]\n',
      /x:1:34 openPoints\.treePathParameter is still FILL IN: .*\n.*x:3:29 fixtures\.files\.0\.id is still FILL IN/s,
    ],
    ['headers:\n  authorization: x\n', /x:2:18 headers\.authorization is set by the suite/],
    [
      'fixtures:\n  files:\n    - { driveId: a, id: b }\n    - { driveId: a, id: b }\n',
      /x:4:7 fixtures\.files\.1 is the same file as fixtures\.files\.0/,
    ],
    [
      'fixtures:\n  files: [{ driveId: a, id: b }]\n  disposableFiles: [{ driveId: a, id: b }]\n',
      /x:3:21 fixtures\.disposableFiles\.0 is the same file as fixtures\.files\.0/,
    ],
    ['apiKey: k\notherApiKey: k\n', /x:2:14 otherApiKey must differ from the first key/],
    ['a: &a [1]\n? *a\n: 1\n', /x:2:3 is not YAML or JSON: a key must be a string/],
    ['- '.repeat(20_000), /x:1:\d+ is not YAML or JSON: it is nested too deeply/],
    [
      `openPoints: { treePathParameter: "${'x'.repeat(100_000)}!" }\n`,
      /x:1:34 openPoints\.treePathParameter is invalid: "x{400,500}…$/,
    ],
    [`{ "${'x'.repeat(1_000)}": 1 }\n`, /x:1:\d+ x{500}… is not a known field \(known: /],
    [`${'x'.repeat(2_000)}: 1\n`, /x:1:\d+ is not YAML or JSON: a key has more than 1,024/],
    ['a: [ "b" "c" ]\n', /x:1:\d+ is not YAML or JSON: Missing , or : between flow sequence/],
  ];
  it.each(faulty.map(([text, message]) => [message, text] as const))('is refused: %s', (message, text) => {
    const error = suiteErrorOf(() => loadConfig(write('x', text)));
    expect(error.message).toMatch(message);
    expect(['CONFIG_INVALID', 'FILE_MALFORMED']).toContain(error.code);
  });

  it('is refused if it does not exist', () => {
    expect(suiteErrorOf(() => loadConfig(at('nowhere.yaml')))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/nowhere\.yaml cannot be read/),
    });
  });

  it('does not leak secrets into error messages', () => {
    const secret = 'sec"ret';
    for (const text of [
      `apiKey: "${secret}`,
      `apiKey: 'a' ${secret}`,
      `apiKey: @${secret}`,
      `apiKey: *${secret}`,
      `apiKey: !${secret}`,
      `{ "apiKey": ${secret}: }`,
      `apiKey: ["${secret.replace('"', '')}"]`,
      `apiKey: "${secret.replace('"', '')}\\n"`,
      `baseUrl: http://user:${secret.replace('"', '')}@example.com/`,
      `headers: { X-Gateway: "${secret.replace('"', '')}\\r\\n" }`,
    ]) {
      expect(suiteErrorOf(() => loadConfig(write('hidden.yaml', text))).message, text).not.toMatch(/sec"?ret/);
    }
  });
});

describe('the settings of a run', () => {
  it('come from the file, overridden by given options', () => {
    const file = { ...given, allowWrites: true, headers: { 'X-One': '1', 'x-two': '2' }, settleMs: 1, timeoutMs: 1 };
    const settings = resolveSettings(file, {
      apiKey: 'key-b',
      allowWrites: false,
      settleMs: 7,
      headers: { 'X-Two': '3' },
    });
    expect(settings).toMatchObject({ apiKey: 'key-b', allowWrites: false, settleMs: 7, timeoutMs: 1 });
    expect(settings.headers).toEqual({ 'X-One': '1', 'X-Two': '3' });
  });

  it('have the defaults that the help shows', () => {
    const defaults = { timeoutMs: 10_000, settleMs: 5_000, maxRequests: 10_000, concurrency: 8, randomSeed: 1 };
    expect(toSettings(given)).toMatchObject(defaults);
    const shown = Object.entries(conformanceFlags).map(([key, option]) => [key, 'default' in option && option.default]);
    expect(Object.fromEntries(shown)).toMatchObject(defaults);
  });

  it.each<[string, object, RegExp]>([
    ['a misspelled key', { allowWrite: true }, /^allowWrite is not a known field \(did you mean allowWrites\?\)\.$/],
    ['an unknown key', { only: ['listAgents.*'] }, /^only is not a known field \(known: .*baseUrl.*\)\.$/],
    ['a wrong type', { allowWrites: 'yes' }, /^allowWrites must be true or false\.$/],
    ['a value out of range', { timeoutMs: 0 }, /^timeoutMs must be a whole number from 1 to 3600000\.$/],
    ['a fraction', { randomSeed: 1.5 }, /^randomSeed must be a whole number from 0 to/],
    ['an invalid fixture', { fixtures: { mcpServer: { id: 7 } } }, /^fixtures\.mcpServer\.id must be a string/],
    ['a bad URL', { baseUrl: 'ftp://x' }, /^The base URL must start with http/],
    ['two errors', { bogus: 1, settleMs: -1 }, /^bogus .*\nsettleMs /],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, /^The header x-a is given twice\.$/],
    ['a header name that is none', { headers: { 'X-A': '1', 'X B': '2' } }, /^The header X B is not a header name\.$/],
    ['a key in a header of its own', { headers: { 'X-API-Key': 'a' } }, /is set by the suite/],
    ['another Authorization', { headers: { authorization: 'a' } }, /is set by the suite/],
    ['another media type', { headers: { 'Content-Type': 'a' } }, /is set by the suite for each request/],
    ['a header of two lines', { headers: { 'X-Gateway': 'line\nbreak' } }, /illegal characters/],
    ['a header that cannot be sent', { headers: { 'X-Gateway': '🚀' } }, /illegal characters/],
    ['an empty key', { apiKey: '' }, /must not be empty/],
    ...['key\n', 'a key', 'clé'].map((apiKey): [string, object, RegExp] => {
      return [`the key ${JSON.stringify(apiKey)}`, { apiKey }, /printable ASCII/];
    }),
    ['an empty second key', { otherApiKey: '' }, /^The API key of the second organization must not be empty\.$/],
    ['the URL of the MCP server', { hostMcpUrl: 'here' }, /^The URL of --host-mcp-url must start with http:/],
    ['the header for request ids', { requestIdHeader: 'X Id' }, /^The header for request ids is not a header name\.$/],
    [
      'a required choice',
      { require: { 'successStatus.createDrive': 404 } },
      /^require\.successStatus\.createDrive is invalid: 404 is not a choice/,
    ],
    ['an unknown open point', { require: { nothing: 1 } }, /^require\.nothing is invalid: there is no open point/],
    [
      'what nobody can see',
      { require: { sizeUnit: 'bytes' } },
      /^require\.sizeUnit cannot be seen from outside\. No op/,
    ],
  ])('refuse %s, set in code or by options', (_, config, message) => {
    const refused = { code: 'OPTION_INVALID', message: expect.stringMatching(message) };
    expect(suiteErrorOf(() => toSettings({ ...given, ...config }))).toMatchObject(refused);
    expect(suiteErrorOf(() => resolveSettings({}, { ...given, ...config }))).toMatchObject(refused);
  });

  it.each<[string, object, string, RegExp]>([
    ['a wrong one before a missing one', { settleMs: -1, apiKey: 'key-a' }, 'OPTION_INVALID', /^settleMs must be/],
    [
      'the base URL',
      { apiKey: 'key-a' },
      'CONFIG_INVALID',
      /^There is no base URL: use --base-url <url>, AGENT_PLATFORM_BASE_URL, or baseUrl in the file of --config\.$/,
    ],
    [
      'the key',
      { baseUrl: given.baseUrl },
      'CONFIG_INVALID',
      /^There is no API key: use AGENT_PLATFORM_API_KEY, apiKey in the file of --config, or --api-key <key>\.$/,
    ],
    [
      'both together',
      {},
      'CONFIG_INVALID',
      /^(?=[\s\S]*--base-url <url>)(?=[\s\S]*AGENT_PLATFORM_BASE_URL)(?=[\s\S]*AGENT_PLATFORM_API_KEY)(?=[\s\S]*baseUrl)[\s\S]*apiKey/,
    ],
  ])('are refused where one is missing, with its name: %s', (_, config, code, message) => {
    const error = suiteErrorOf(() => resolveSettings({ ...config }, {}));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
  });

  it('take required choices from both', () => {
    const file = { ...given, require: { 'successStatus.createDrive': 200, 'successStatus.getDriveFile': 200 } };
    expect(resolveSettings(file, { require: { 'successStatus.createDrive': 201 } }).require).toEqual({
      'successStatus.createDrive': 201,
      'successStatus.getDriveFile': 200,
    });
  });

  it.each([
    ['http://127.0.0.1:80/v0.1', 'http://127.0.0.1/v0.1'],
    ['https://example.com/teams/a/v0.1/', 'https://example.com/teams/a/v0.1'],
    ['https://example.com', 'https://example.com'],
    ['HTTPS://EXAMPLE.com/V0.1//', 'https://example.com/V0.1'],
    ['http://[::1]:8080/v0.1', 'http://[::1]:8080/v0.1'],
  ])('accept the base URL %s', (baseUrl, taken) => {
    expect(resolveSettings({}, { ...given, baseUrl }).baseUrl).toBe(taken);
  });

  it.each([
    ['localhost:8080/v0.1', /must start with http/],
    ['/v0.1', /must start with http/],
    ['http://', /must be a URL/],
    ['http://exa mple.com/', /must be a URL/],
    ['http://example.com/v0.1?a=b', /not have a query/],
    ['http://example.com/v0.1?', /not have a query/],
    ['http://example.com/v0.1#top', /not have a fragment/],
    ['http://user@example.com/v0.1', /not contain a user or a password/],
    ['http://user:word@example.com/v0.1', /not contain a user or a password/],
    ['http://:word@example.com/v0.1', /not contain a user or a password/],
  ])('refuse the base URL %s', (baseUrl, message) => {
    const error = suiteErrorOf(() => resolveSettings({}, { ...given, baseUrl }));
    expect(error).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(/^The base URL /) });
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/exa|user:word/);
  });
});
