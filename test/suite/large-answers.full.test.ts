import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { Bodies } from '../../conformance/target/received.ts';
import { beginning, jsonBeginning } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { RequestView } from '../../openapi/reading/messages.ts';
import { createRules, judgeAnswer } from '../../src/proxy/judge.ts';
import { runCommand } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';
import { useProxy, useUpstream } from '../support/proxied.ts';
import { startUpstream } from '../support/upstream.ts';

// Suite and proxy judge what a server sends, however much it is and however wrong. What they find and keep is bounded.

const folder = createFolder('bounds');
const time = '2026-02-11T09:00:00Z';
const drive = (id: number) => ({ id: `d${id}`, organizationId: 'o', name: `n${id}`, createdAt: time, updatedAt: time });
const list = <T>(length: number, item: (index: number) => T) => Array.from({ length }, (_, index) => item(index));
const page = (data: unknown) => JSON.stringify({ data, pagination: { limit: 100, offset: 0, total: 1 } });

/** A server that gives every request the same answer, or one after the other. */
async function startSame(...bodies: string[]): Promise<string> {
  let count = 0;
  const { url, close } = await startUpstream((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(bodies[count++ % bodies.length]);
    });
  });
  onTestFinished(close);
  return url;
}

const judging = ['fields-present', 'ids-differ', 'field-types', 'created-not-after-updated', 'timestamps-are-utc'];
const only = [
  ...judging.map((rule) => `listDrives.${rule}`),
  'listDrives.items-name-one-organization.each-answer',
  'listAgents.fields-present',
  'listAgents.answer-is-array',
];

async function judge(...bodies: string[]) {
  const settings = toSettings({ baseUrl: await startSame(...bodies), apiKey: 'k-1234567', settleMs: 10 });
  return runSuite(settings, { tool: 'test', only });
}

describe('the suite', () => {
  it('judges 200,000 empty items in little memory, and says how many are wrong', { timeout: 120_000 }, async () => {
    const file = folder.at('report.json');
    const baseUrl = await startSame(page(list(200_000, () => ({}))));
    const args = ['conformance', '--base-url', baseUrl, '--api-key', 'k-1234567', '--settle', '10', '--json', file];
    const ended = await runCommand([...args, ...only.flatMap((id) => ['--only', id])], {
      NODE_OPTIONS: '--max-old-space-size=160',
    });
    expect(ended.stdout).toContain('data[0] has no id, organizationId, name, createdAt, updatedAt: {} (more than 1000');
    expect(ended.code).toBe(1);
    const text = readFileSync(file, 'utf8');
    expect(text.length).toBeLessThan(400_000);
    expect(parseReport(text, 'the report').run.suiteError).toBeUndefined();
  });

  const wrong: [string, string, string?][] = [
    ['items with one id', page(list(20_000, () => drive(1))), 'listDrives.ids-differ'],
    ['items of another type', page(list(20_000, (index) => index)), 'listAgents.answer-is-array'],
    ['fields of another type', page(list(5_000, (index) => ({ ...drive(index), name: 1 }))), 'listDrives.field-types'],
    [
      'a fault behind many others',
      page([...list(3_000, () => ({ ...drive(1), name: 1 })), { ...drive(2), createdAt: '2026-02-11T09:00:00+02:00' }]),
      'listDrives.timestamps-are-utc',
    ],
    ['a long text', page([{ ...drive(1), name: ['x'.repeat(5_000_000)] }]), 'listDrives.field-types'],
    ['a long id', page(list(2, () => ({ ...drive(1), id: 'x'.repeat(5_000_000) }))), 'listDrives.ids-differ'],
    [
      'many owners',
      page(list(20_000, (index) => ({ ...drive(index), organizationId: `o${index}` }))),
      'listDrives.items-name-one-organization.each-answer',
    ],
    [
      'many names',
      page([{ ...drive(1), name: Object.fromEntries(list(50_000, (index) => [`k${index}`, index])) }]),
      'listDrives.field-types',
    ],
    ['levels within levels', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ];

  it.each(wrong)('comes to a verdict, and a report that can be opened: %s', async (_, body, failing) => {
    const report = await judge(body);
    expect(report.run.suiteError).toBeUndefined();
    const found = report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    if (failing !== undefined) expect(found.map(({ id }) => id)).toContain(failing);
    expect(JSON.stringify(report).length).toBeLessThan(300_000);
  });

  it('does not pass what it leaves to the model if that has not read all', async () => {
    const report = await judge(
      page(list(20_000, (index) => ({ ...drive(index), organizationId: `o${index}`.padEnd(300) }))),
    );
    const left = report.checks.find(({ id }) => id === 'listDrives.items-name-one-organization.each-answer');
    expect(left).toMatchObject({ outcome: 'skipped', obstacle: 'the list is too long to read in full' });
    expect(left?.reason).toContain('was longer than 5000000 characters');
  });

  // For each of them to look through all of them would take minutes.
  it('finds the MCP servers to ask for tools among 15,000', async () => {
    const server = (id: number) => ({ ...drive(id), url: 'https://mcp.example.com/mcp', type: 'sse' });
    const baseUrl = await startSame(JSON.stringify(list(15_000, server)));
    const settings = toSettings({ baseUrl, apiKey: 'k-1234567', settleMs: 10 });
    const report = await runSuite(settings, { tool: 'test', only: ['listMcpServerTools.is-served'] });
    expect(report.run.suiteError).toBeUndefined();
    expect(report.run.requests).toBeGreaterThan(1);
  });

  it('keeps equal bodies once, the values of the latest, and no more texts than it may', () => {
    const bodies = new Bodies(100, 20);
    const first = bodies.take('[1,2,3,4,5]', false);
    expect(bodies.take(['[1,2,3', '4,5]'].join(), false)).toBe(first);
    const value = first?.json;
    expect(first?.json).toBe(value);
    expect(bodies.take('[1,2,3,4,5,6]', false)?.json).toEqual([1, 2, 3, 4, 5, 6]);
    // It was forgotten, and is read anew.
    expect(first?.json).not.toBe(value);
    expect(first?.json).toEqual(value);
    expect(bodies.take('x'.repeat(80), false)).toBeUndefined();
    expect(bodies.take('[7]', false)?.json).toEqual([7]);
    expect(bodies.take('"needed"'.padEnd(80), true)?.json).toBe('needed');
    expect(bodies.take('no JSON', false)).toMatchObject({ isJson: false, json: undefined });
  });

  it('says what it did not keep', async () => {
    const settings = toSettings({
      baseUrl: await startSame(...list(12, (index) => page('x'.repeat(19_000_000 + index)))),
      apiKey: 'k-1234567',
      settleMs: 10,
    });
    const report = await runSuite(settings, { tool: 'test', only: ['listDrives.is-served', 'listAgents.is-served'] });
    expect(JSON.stringify(report)).toContain('the responses of the run are larger than 200 MB in all');
    expect(report.run.suiteError).toBeUndefined();
  });
});

describe('the beginning of a text', () => {
  const redact = (text: string) => text.replaceAll('secret', '<KEY>');

  it.each([0, 1, 5, 90, 99, 100, 15_999, 16_095, 16_100])('shows no half of a secret at %i', (place) => {
    for (const many of ['', 'secret'.repeat(2_000)]) {
      const text = `${'-'.repeat(place)}secret${many}${'-'.repeat(100_000)}`;
      const { shown, isWhole } = beginning(text, 100, redact);
      expect(isWhole).toBe(false);
      expect(shown.length).toBeLessThanOrEqual(100);
      expect(redact(text).startsWith(shown)).toBe(true);
    }
  });

  it('of a value is that of its JSON', () => {
    const values = [
      list(50_000, drive),
      { a: 'x'.repeat(100_000), b: 1 },
      'é"\\\n'.repeat(9_000),
      [[[]]],
      null,
      'a',
      { a: undefined },
    ];
    for (const value of values)
      expect(jsonBeginning(value, 500)?.slice(0, 500)).toBe(JSON.stringify(value).slice(0, 500));
    expect(jsonBeginning(undefined, 500)).toBeUndefined();
    expect(
      jsonBeginning(
        list(1_000_000, () => 0),
        500,
      )?.length,
    ).toBeLessThan(50_000);
  });
});

describe('the proxy', () => {
  const judgeBody = async (operationId: OperationId, value: unknown) => {
    const rules = createRules(undefined, () => undefined);
    const operation = rules.operations.get(operationId) as RequestView['operation'];
    const request: RequestView = {
      operation,
      path: operation.path,
      query: [],
      headers: { 'x-api-key': 'k' },
      body: { kind: 'none' },
    };
    const headers = { 'content-type': 'application/json' };
    return judgeAnswer(request, { status: 200, headers, body: { kind: 'json', value, lengthBytes: 1 } }, rules);
  };

  it.each<[string, OperationId, unknown]>([
    ['empty items', 'listDrives', JSON.parse(page(list(300_000, () => ({}))))],
    ['items of another type', 'listDrives', JSON.parse(page(list(300_000, () => 0)))],
    ['fields of another type', 'listAgents', list(50_000, () => ({ id: 1, name: 1, createdAt: 'x' }))],
    [
      'wrong items behind right ones',
      'listDrives',
      JSON.parse(page([...list(20_000, drive), ...list(20_000, () => 0)])),
    ],
    ['tools', 'listMcpServerTools', { tools: list(100_000, () => ({})) }],
  ])('finds some of very many faults: %s', async (_, operationId, value) => {
    const found = await judgeBody(operationId, value);
    // Where they are of one kind, some are told, and the others counted.
    const isCounted = found.some(({ message }) => /, and (at least )?\d{3,} more like this$/.test(message.plain));
    expect(isCounted || found.length > 200).toBe(true);
    expect(found.length).toBeLessThan(2_000);
  });

  it('finds all faults while they are few, however far behind', async () => {
    const items: unknown[] = list(20_000, drive);
    for (const index of [3, 7_000, 19_999]) items[index] = { ...drive(index), name: 1 };
    const found = await judgeBody('listDrives', JSON.parse(page(items)));
    expect(found.map(({ location }) => location.join('.'))).toEqual(
      [3, 7_000, 19_999].map((index) => `response.body.data.${index}.name`),
    );
  });

  it('records no more than it says', async () => {
    const upstream = await useUpstream((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(page(list(300_000, () => ({}))));
    });
    const proxy = await useProxy({ upstream: upstream.url });
    const answer = await fetch(`${proxy.url}/drives`, { headers: { 'X-API-Key': 'k' } });
    expect((await answer.text()).length).toBeGreaterThan(900_000);
    const [exchange] = proxy.requestLog.entries;
    expect(exchange?.violations).toHaveLength(200);
    expect(exchange?.notJudged).toEqual(['more than 200 violations']);
  });
});
