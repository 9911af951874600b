import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ordersOf } from '../../openapi/reading/formats.ts';
import { startFront } from '../../proof/power/front.ts';
import type { WireAnswer } from '../../proof/power/mutant.ts';
import { operationIdOf, withBody } from '../../proof/power/mutants/wire-faults.ts';
import { runCommand } from '../support/command.ts';
import { createBench, demo, keys } from '../support/judging.ts';
import { selfSigned } from '../support/self-signed.ts';
import { startUpstream } from '../support/upstream.ts';

const { mock, at, reportOf } = await createBench();
const json = { 'content-type': 'application/json' };

const answer =
  (status: number, headers: Record<string, string>, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

describe('a server that does not respond as the service ends the run and the doctor with 2, and advice', () => {
  const fine = answer(200, json, '[]');

  async function expectAdvice(baseUrl: string, advice: RegExp): Promise<void> {
    for (const command of ['conformance', 'conformance doctor']) {
      const { code, stderr } = await runCommand([...command.split(' '), '-u', baseUrl], keys);
      expect(stderr).toMatch(advice);
      expect(code).toBe(2);
    }
  }

  it('where every request is redirected', async () => {
    const redirect: RequestListener = ({ url = '' }, response) =>
      void response.writeHead(308, { location: `https://agents.test${url}` }).end();
    const { url, close } = await startUpstream(redirect);
    const advice = /use https:\/\/agents\.test\/v0\.1 as the base URL[\s\S]*status 308, to https:/;
    await expectAdvice(url, advice).finally(close);
  });

  it('where the port does not speak TLS', async () => {
    const { url, close } = await startUpstream(fine);
    await expectAdvice(url.replace('http:', 'https:'), /does not speak TLS: try http:/).finally(close);
  });

  it('where the certificate is not trusted', async () => {
    const server = createTls(selfSigned, fine);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await expectAdvice(`https://127.0.0.1:${port}/v0.1`, /NODE_EXTRA_CA_CERTS[\s\S]*DEPTH_ZERO_SELF_SIGNED_CERT/);
    server.close();
  });
});

/** A run over the mock behind a front that changes its answers. */
async function judge(
  change: (answer: WireAnswer, request: IncomingMessage) => WireAnswer,
  args: string[],
  environment: Record<string, string> = keys,
) {
  const front = await startFront(mock.url, async (request, response, forward) => {
    const { status, headers, body } = change(await forward(), request);
    response.writeHead(status, headers).end(body);
  });
  return reportOf(args, { ...environment, AGENT_PLATFORM_BASE_URL: front.baseUrl }).finally(() => front.close());
}

it('a server that lacks operations is judged as long as one of the lists is there', async () => {
  const { code, report } = await judge(
    (answer, request) =>
      operationIdOf(request)?.includes('McpServer') ? answer : { status: 404, headers: json, body: '{}' },
    ['--only', 'list*.is-served'],
  );
  expect(code).toBe(1);
  expect(Object.fromEntries(report.checks.map(({ id, outcome }) => [id, outcome]))).toMatchObject({
    'listAgents.is-served': 'failed',
    'listDrives.is-served': 'failed',
    'listMcpServers.is-served': 'passed',
  });
});

describe('JSON that is nested deep', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  const only = ['listAgents.body*', 'getDriveFile.body*'].flatMap((id) => ['--only', id]);
  const all = ['--config', demo, ...only, '--report', 'html,markdown,junit', '--report-dir', at('reports')];
  const withMetadata = (metadata: string) => (answer: WireAnswer) =>
    withBody(answer, answer.body.replaceAll(/"metadata":\{[^{}]*\}/g, `"metadata":{"a":${metadata}}`));

  it('passes with 900 levels, and fails with more than 1,000', async () => {
    expect((await judge(withMetadata(nested(900)), all)).code).toBe(0);
    const { code, report } = await judge(withMetadata(nested(5_000)), all);
    expect(code).toBe(1);
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toContain('getDriveFile.body-is-json');
    expect(failed.find(({ id }) => id === 'getDriveFile.body-is-json')?.evidence?.actual).toMatch(/1,000 levels/);
    expect(report.run.suiteError).toBeUndefined();
  });

  it('never breaks the suite, however much comes', async () => {
    const { code, report } = await judge(
      (answer, request) =>
        operationIdOf(request) === 'listAgents' && answer.status === 200
          ? withBody(answer, '['.repeat(1_000_000))
          : answer,
      all,
    );
    expect(code).toBe(1);
    expect(report.run.suiteError).toBeUndefined();
    expect(report.checks.find(({ id }) => id === 'listAgents.body-is-json')?.outcome).toBe('failed');
  });
});

describe('the order of a list', () => {
  it('is that of its times, although creations at the same time may be listed in another order', () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
    const listOf = (times: readonly number[]) =>
      times.map((ms, index) => ({ name: `n${(index * 7) % 5}`, createdAt: at(ms) }));
    expect(ordersOf(listOf([0, 60_000, 60_003, 60_001, 120_000, 180_000]))?.orders).toEqual(['oldestFirst']);
    expect(ordersOf(listOf([180_000, 120_000, 60_001, 60_003, 60_000, 0]))?.orders).toEqual(['newestFirst']);
    expect(ordersOf(listOf([0, 60_000, 30_000, 120_000]))?.orders).toEqual([]);
  });
});

it('Content-Encoding: x-gzip is read as gzip', async () => {
  const front = await startFront(mock.url, async (_request, response, forward) => {
    const { status, headers, body } = await forward();
    const { 'content-length': _, ...kept } = headers;
    response.writeHead(status, { ...kept, 'content-encoding': 'x-gzip' }).end(gzipSync(body));
  });
  const environment = { ...keys, AGENT_PLATFORM_BASE_URL: front.baseUrl };
  const { code, report } = await reportOf(['--only', 'listAgents.*'], environment);
  await front.close();
  expect(report.summary).toMatchObject({ failed: 0, warned: 0 });
  expect(code).toBe(0);
});
