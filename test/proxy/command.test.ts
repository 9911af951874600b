import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFront } from '../../proof/power/front.ts';
import { runCommand, serve, startProcess } from '../support/command.ts';
import { useMock } from '../support/control.ts';
import { createFolder } from '../support/folder.ts';

const folder = createFolder('proxy');

/** A running `agent-platform-contract proxy`. */
const start = (args: readonly string[]) => serve(['proxy', '--port', '0', ...args]);

const key = { 'x-api-key': 'demo-key' };

async function post(url: string, value: unknown): Promise<void> {
  const headers = { ...key, 'content-type': 'application/json' };
  await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) })).text();
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('agent-platform-contract proxy', () => {
  it.each<[string, args: string, RegExp]>([
    ['a missing --upstream', '', /--upstream is missing/],
    ['an upstream that is no http URL', '--upstream localhost:4010', /must be an http or https URL, such as https/],
    ['an upstream with a user name', '--upstream http://a:b@localhost/v0.1', /without a user name/],
    ['an upstream with a query', '--upstream http://localhost/v0.1?a=1', /without \? and #/],
    ['a timeout of 0', '--upstream http://a/v0.1 --timeout 0', /--timeout must be a whole number from 1/],
    [
      'an illegal choice',
      '--upstream http://a --set successStatus.createDrive=204',
      /204 is not a choice of successStatus.createDrive/,
    ],
    [
      'two choices',
      '--upstream http://a --set successStatus.getDriveFile=200 --set successStatus.getDriveFile=203',
      /successStatus.getDriveFile is given twice: 200 and 203/,
    ],
    ['a missing profile file', '--upstream http://a --profile nowhere.yaml', /nowhere\.yaml cannot be read/],
    ['an --observe file in a missing folder', '--upstream http://a --observe nowhere/x.yaml', /cannot be written/],
  ])('refuses %s', async (_, args, message) => {
    const { code, stdout, stderr } = await runCommand(['proxy', '--port', '0', ...args.split(' ').filter(Boolean)]);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('logs exchanges and violations as JSON and prints a summary at the end', async () => {
    const mock = await useMock({ set: { 'successStatus.createDrive': 202 } });
    const command = startProcess(['proxy', '--port', '0', '--upstream', mock.url]);
    const proxy = { ...command, url: await command.printed(/(?<="url":")[^"]+/) };
    await (await fetch(`${proxy.url}/drives?limit=0&again=demo-key`, { headers: key })).text();
    await (await fetch(`${proxy.url}/nothing`, { headers: key })).text();
    const { code, stdout, stderr } = await proxy.stop();
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(line.match(/"message":/g)).toHaveLength(1);
    expect(lines(stdout)).toMatchObject([
      { message: 'listening', url: proxy.url, page: `${new URL(proxy.url).origin}/__admin/`, upstream: mock.url },
      { message: 'request', requestPath: '/v0.1/drives?limit=0&again=[REDACTED]', responseStatus: 422 },
      {
        level: 'error',
        message: expect.stringMatching(/^client: .*limit must be >= 1/),
        code: 'minimum',
        location: ['request', 'query', 'limit'],
      },
      { message: 'request', responseStatus: 404 },
      { level: 'warn', message: expect.stringContaining('The contract has no such path') },
      { level: 'info', message: 'not checked: no operation of the contract' },
    ]);
    expect(stderr).toMatch(
      /^2 requests to http:\S+, 1 checked\.\nNot checked, or only in part: no operation of the contract \(1\)\.\n/,
    );
    expect(stderr).toMatch(
      /The client broke the contract: 2 times\.\n {2}error {2}listDrives {2}request\.query\.limit {2}minimum {2}\(1 time\)/,
    );
    expect(stderr).toContain('first: GET /v0.1/drives?limit=0&again=[REDACTED] -> 422');
    expect(stderr).toContain('The server broke the contract: never.');
    expect(stdout + stderr).not.toContain('demo-key');
  });

  it('calls one value that is no choice what it is, not a contradiction', async () => {
    const mock = await useMock();
    const front = await startFront(mock.url, async (_, response, forward) => {
      const { status, headers, body } = await forward();
      response.writeHead(status, headers).end(String(body).replace('"streamableHttp"', '"streamable-ht"'.padEnd(16)));
    });
    onTestFinished(() => front.close());
    const proxy = await start(['--upstream', front.baseUrl, '--log-format', 'pretty', '--no-color']);
    await post(`${proxy.url}/mcp-servers`, { name: 'Seen', url: 'https://mcp.example.com/seen' });
    const { stdout } = await proxy.stop();
    expect(stdout).toMatch(/\nObserved, but matching none of the choices:\n {2}mcpDefaultType: streamable-ht \(/);
    expect(stdout).not.toContain('Contradictory');
  });

  it('writes the observed choices as a profile that the mock can use', async () => {
    const mock = await useMock({
      set: { 'successStatus.createDrive': 202, errorBody: 'nested', 'pagingDefaults.limit': 10 },
    });
    const file = folder.at('learned.yaml');
    const proxy = await start(['--upstream', mock.url, '--observe', file, '--log-format', 'pretty', '--no-color']);
    await post(`${proxy.url}/drives`, { name: 'Seen' });
    for (const path of ['/drives', '/drives?limit=0']) await (await fetch(proxy.url + path, { headers: key })).text();
    const { code, stdout } = await proxy.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(/Agent Platform proxy [\s\S]*Base URL +http:\S+ for your client\n +Upstream +http/);
    expect(stdout).toMatch(/ {2}GET +422 {2}\/v0\.1\/drives\?limit=0 .*\n +error +client: .*limit must be >= 1/);
    expect(stdout).toMatch(
      /What the server chose at \d+ open points:[\s\S]* successStatus.createDrive +202 \(1 time\)/,
    );
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# Choices that http:\S+ was observed to make.*\n# npm start -- --profile[\s\S]*# Seen once, first: POST \/v0\.1\/drives\nsuccessStatus.createDrive: 202\n/,
    );
    const again = await useMock({ profile: file });
    expect(again.profile).toMatchObject({
      'successStatus.createDrive': 202,
      errorBody: 'nested',
      'pagingDefaults.limit': 10,
      'errorStatus.invalidInput': 422,
    });
  });

  it('records a seed that the mock takes, and says what it leaves out', async () => {
    const mock = await useMock({ openKeys: true });
    const file = folder.at('recorded.yaml');
    const proxy = await start(['--upstream', mock.url, '--record', file]);
    for (const path of ['/agents', '/drives', '/mcp-servers'])
      for (const name of ['one', 'two'])
        await (await fetch(proxy.url + path, { headers: { 'x-api-key': `open-${name}` } })).text();
    const drive = mock.snapshot().organizations[0]?.drives.find(({ files }) => files.length > 0);
    await (await fetch(`${proxy.url}/drives/${drive?.id}/files/${drive?.files[0]?.id}`, { headers: key })).text();
    const { stderr } = await proxy.stop();
    expect(readFileSync(file, 'utf8')).toMatch(/^# What .*\n# Left out, .*:\n# - file \S+ of drive \S+: no response/);
    expect(stderr).toContain('recorded.yaml leaves out 1 of the things that the server showed.');
    expect((await useMock({ seed: file })).keys).toContain('recorded-key-2');
  });

  it('judges by --profile, refuses with --errors and warns about an upstream without its version', async () => {
    const mock = await useMock();
    const profile = folder.write('profile.yaml', 'successStatus.listDrives: 203\n');
    const judging = await start(['--upstream', mock.url, '--profile', profile, '--errors']);
    const response = await fetch(`${judging.url}/drives`, { headers: key });
    expect({ status: response.status, error: response.headers.get('x-proxy-error') }).toEqual({
      status: 502,
      error: 'answerViolation',
    });
    expect((await judging.stop()).stderr).toContain('Failed: The response of the upstream breaks the contract (1).');
    const versionless = await start(['--upstream', new URL(mock.url).origin]);
    expect(/(?<=Did you mean )\S+(?=\?)/.exec((await versionless.stop()).stdout)?.[0]).toBe(mock.url);
  });

  it('reports a port in use', async () => {
    const mock = await useMock();
    const { port } = new URL(mock.url);
    const { code, stderr } = await runCommand(['proxy', '--upstream', mock.url, '--port', port]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    });
  });
});
