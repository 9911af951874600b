import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toAnnotations } from '../../conformance/report/github.ts';
import { reporters } from '../../conformance/report/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { startProcess } from '../support/command.ts';
import { harSchema } from '../support/har-schema.ts';
import { createBench, demo, keys, quick, startPassing } from '../support/judging.ts';
import { wholeRun } from '../support/whole-run.ts';

const { mock, at, write, conformance, reportOf } = await createBench();

interface Entry {
  startedDateTime: string;
  time: number;
  request: { method: string; url: string; headers: { name: string; value: string }[]; postData?: { text: string } };
  response: { status: number; content: { text: string } };
  _requestId?: string;
  _check?: string;
  _error?: string;
}

const isHar = new Schemas(harSchema).at('#');

/** The entries of a HAR file, whose structure is checked. */
function entriesOf(file: string): Entry[] {
  const har = JSON.parse(readFileSync(file, 'utf8'));
  expect(isHar(har)).toEqual([]);
  return har.log.entries;
}

describe('--trace', () => {
  it('writes every exchange of a run as HAR 1.2, without keys', async () => {
    const { report, trace } = await wholeRun();
    const entries = entriesOf(trace);
    expect(entries.length).toBe(report.run.requests);
    const text = readFileSync(trace, 'utf8');
    expect(text).not.toMatch(/demo-key/);
    expect(JSON.parse(text).log.creator).toEqual({ name: 'test', version: '1' });
    expect(new Set(entries.map(({ request }) => request.method))).toEqual(new Set(['GET', 'POST', 'PATCH', 'DELETE']));
    expect(entries.filter(({ _check }) => _check === 'createDrive.is-served')).not.toEqual([]);
    expect(entries.every(({ startedDateTime }) => startedDateTime >= report.run.startedAt.slice(0, 16))).toBe(true);
    // Bodies and queries are spelled in several ways by turns.
    const sent = entries.map(({ request: { url, postData } }) => `${url} ${postData?.text}`);
    for (const spelling of [/ \{"path"/, / \{\n {2}"path"/, /\?limit=\d+&offset=/, /\?offset=\d+&limit=/])
      expect(
        sent.some((one) => spelling.test(one)),
        String(spelling),
      ).toBe(true);
  });

  it('has the reason where no response came', async () => {
    const file = at('silent.har');
    const front = await startFront(mock.url, async (request, response, forward) => {
      if (request.url?.includes('/mcp-servers')) return void request.socket.destroy();
      const { status, headers, body } = await forward();
      response.writeHead(status, headers).end(body);
    });
    const args = ['-u', front.baseUrl, '--only', 'listMcpServers.is-served', '--trace', file];
    expect((await conformance(args, keys)).stdout).toContain(`${file}\n`);
    await front.close();
    const silent = entriesOf(file).filter(({ response }) => response.status === 0);
    expect(silent[0]?._error).toMatch(/^reset: the connection closed/);
  });

  it('cuts long bodies, and is complete although the run ends early', async () => {
    const file = at('long.har');
    const front = await startFront(mock.url, async (request, response, forward) => {
      const { status, headers, body } = await forward();
      const padding = request.url?.includes('/agents') ? ' '.repeat(200_000) : '';
      const { 'content-length': _, ...others } = headers as Record<string, string>;
      response.writeHead(status, others).end(body + padding);
    });
    await conformance(['-u', front.baseUrl, ...quick, '--max-requests', '5', '--trace', file], keys);
    await front.close();
    const lengths = entriesOf(file).map(({ response }) => response.content.text.length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeGreaterThan(64_000);
    expect(Math.max(...lengths)).toBeLessThan(65_000);
  });

  it('can be read after the process was killed', async () => {
    const file = at('killed.har');
    const slow = await startPassing(mock.url, undefined, 30);
    const running = startProcess(['conformance', '-u', slow.baseUrl, '--config', demo, '--trace', file], keys);
    await running.printed(/Target/);
    while (readEntries(file) < 5) await setTimeout(20);
    await running.stop('SIGKILL');
    await slow.close();
    expect(entriesOf(file).length).toBeGreaterThanOrEqual(5);
  });
});

function readEntries(file: string): number {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).log.entries.length;
  } catch {
    return 0;
  }
}

describe('the request id', () => {
  const sentWith = async (args: readonly string[], header: string) => {
    const seen: (string | undefined)[] = [];
    const front = await startPassing(mock.url, ({ headers }) => seen.push(headers[header] as string | undefined));
    const { report } = await reportOf(['-u', front.baseUrl, ...args], keys);
    await front.close();
    return { seen, report };
  };

  it('is a UUID of the run and the number of the request, and stands in the trace', async () => {
    const file = at('ids.har');
    const { seen, report } = await sentWith([...quick, '--trace', file], 'x-request-id');
    const run = report.run.id.replace('run-', '');
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => !id?.startsWith(`${run}-0000-4000-8000-00000000`))).toEqual([]);
    expect(
      entriesOf(file)
        .map(({ _requestId }) => _requestId)
        .toSorted(),
    ).toEqual(seen.toSorted());
  });

  it.each<[string, string[], header: string, sent: string | undefined]>([
    ['may go into another header', ['--request-id-header', 'X-Correlation-Id'], 'x-correlation-id', undefined],
    [
      'may go into one of the config',
      ['--config', write('ids.yaml', 'requestIdHeader: X-Trace\n')],
      'x-trace',
      undefined,
    ],
    ['may go into none', ['--request-id-header', 'none'], 'x-request-id', 'undefined'],
    ['gives way to a header of the user', ['--header', 'x-request-id: mine'], 'x-request-id', 'mine'],
  ])('%s', async (_, args, header, sent) => {
    const { seen, report } = await sentWith([...quick, ...args], header);
    expect(seen.map(String)).toEqual(
      seen.map(() => sent ?? expect.stringContaining(report.run.id.replace('run-', ''))),
    );
    expect(seen.length).toBeGreaterThan(0);
  });

  it('stands with every finding in every report', async () => {
    const open = await createMock({ openKeys: true });
    const args = ['-u', open.url, '--only', 'listAgents.wrong-header-key'];
    const { stdout, report } = await reportOf(args, keys);
    await open.close();
    const id = report.checks.find(({ outcome }) => outcome === 'failed')?.evidence?.exchanges.at(-1)?.requestId ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}-0000-4000-8000-\d{12}$/);
    expect(stdout).toMatch(new RegExp(`\\n {2}Request id {2}${id}\\n`));
    for (const { write: text } of Object.values(reporters)) expect(text(report)).toContain(id);
    expect(toAnnotations(report, 'x')).toContain(`Request id  ${id}`);
    const { curl = '' } = report.checks.find(({ outcome }) => outcome === 'failed')?.evidence ?? {};
    expect(curl).not.toContain(id);
    expect(parseReport(JSON.stringify(report), 'the report')).toEqual(report);
  });
});
