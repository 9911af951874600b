/** The mock for pages: one small module without Node, which runs where a policy forbids to make code. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { minifySync } from 'rolldown/utils';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundles } from '../../.ci/bundle.mjs';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { page, script, serveSite } from '../support/page-server.ts';
import { run, temporaryFolder } from '../support/shell.ts';

// After a bundler has minified it.
const limitBytes = 120_000;

let modules: Awaited<ReturnType<typeof bundles>>;
let browser: Browser | undefined;
beforeAll(async () => {
  modules = await bundles();
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const importsOf = (code: string) => ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName);

describe('the bundle', () => {
  it('imports nothing; that for MSW imports MSW and the mock', () => {
    expect(importsOf(modules['fetch.js'])).toEqual([]);
    expect(importsOf(modules['msw.js'])).toEqual(['msw', './fetch.js']);
    const ofNode = /["'`]node:|\brequire\(["'`](?!\.\/fetch\.cjs|msw)|\bimport\.meta\b/;
    const codes = Object.entries(modules).filter(([name]) => !name.endsWith('.map'));
    expect(codes.flatMap(([name, code]) => (ofNode.test(code) ? [name] : []))).toEqual([]);
  });

  it('is small once a bundler has minified it', () => {
    const { code, errors } = minifySync('fetch.js', modules['fetch.js']);
    expect(errors).toEqual([]);
    const bytes = gzipSync(code).length;
    expect(bytes).toBeLessThan(limitBytes);
  });

  it.each(['fetch.js', 'fetch.cjs', 'msw.js', 'msw.cjs'] as const)('can be read: %s', (name) => {
    const code = modules[name];
    const lines = code.split('\n');
    expect(lines.filter((line) => line.length > 1_500).map((line) => line.slice(0, 100))).toEqual([]);
    const names = [...code.matchAll(/\bclass(?: (\w+))? (?:extends \w+ )?\{/g)].map(([, own]) => own);
    expect(names.filter((own) => own !== undefined && own.length < 3)).toEqual([]);
    expect(code).toContain(name.startsWith('msw') ? 'function createHandlers(' : 'function createFetch(');
    expect(lines.at(-2)).toBe(`//# sourceMappingURL=${name}.map`);
    // Of the one in `fetch`: an error has one class, wherever it is thrown.
    expect(code.includes('StartError = class')).toBe(name.startsWith('fetch'));
  });

  it.each(['fetch.js', 'fetch.cjs', 'msw.js', 'msw.cjs'] as const)('has a source map with its sources: %s', (name) => {
    const map = new SourceMap(JSON.parse(modules[`${name}.map`]));
    const lines = modules[name].split('\n');
    const wanted = name.startsWith('msw') ? 'function createHandlers(' : 'function createFetch(';
    const line = lines.findIndex((text) => text.startsWith(wanted));
    const entry = map.findEntry(line, 'function '.length) as { originalSource: string; originalLine: number };
    expect(entry.originalSource).toMatch(
      name.startsWith('msw') ? /src\/browser\/msw\.ts$/ : /src\/browser\/fetch\.ts$/,
    );
    const { sources, sourcesContent } = JSON.parse(modules[`${name}.map`]);
    const source: string = sourcesContent[sources.indexOf(entry.originalSource)];
    expect(source.split('\n')[entry.originalLine]).toContain(wanted);
    expect(sourcesContent).not.toContain(null);
  });

  it('keeps the names of its classes and functions in what an error shows', async () => {
    const folder = temporaryFolder('readable');
    writeFileSync(folder.at('fetch.mjs'), modules['fetch.js']);
    writeFileSync(folder.at('wrong.mjs'), "import { createFetch } from './fetch.mjs';\ncreateFetch({ prot: 1 });\n");
    const { stderr } = await run(process.execPath, ['wrong.mjs'], { cwd: folder.path });
    folder.remove();
    expect(stderr).toMatch(/^StartError: .*prot/m);
    expect(stderr).toMatch(/^ {4}at createFetch \(/m);
    expect(stderr.length).toBeLessThan(2_000);
  });

  it('runs under a strict policy in any profile', async (test) => {
    if (browser === undefined) return test.skip(noBrowser);
    const site = await serveStrictly(modules['fetch.js']);
    test.onTestFinished(() => site.close());
    const opened = await browser.newPage();
    test.onTestFinished(() => opened.close());
    const complaints: string[] = [];
    opened.on('console', (message) => complaints.push(message.text()));
    opened.on('pageerror', (error) => complaints.push(String(error)));
    await opened.goto(site.url);
    const results = await opened.evaluate('globalThis.results');
    expect(results).toEqual({
      caused: [],
      wanted: ['script-src eval'],
      statuses: { created: 201, refused: 422, fault: 422, snapshot: 200, dynamic: 400 },
      drawn: 20,
    });
    expect(complaints).toEqual([]);
  });
});

// The validators of bodies, queries, faults, seeds and snapshots, bodies that would need Prism, and drawn profiles.
const program = `
import { createFetch } from '/fetch.js';
globalThis.results = (async () => {
const violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
const seed = { organizations: [{ name: 'Acme', keys: ['key-a'] }] };
const ask = async (mock, method, url, body) => {
  const headers = { 'x-api-key': mock.keys[0], 'content-type': 'application/json' };
  return mock(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
};
const mock = createFetch({ seed });
const created = (await ask(mock, 'POST', mock.url + '/drives', { name: 'New' })).status;
const refused = (await ask(mock, 'POST', mock.url + '/drives', { name: 1 })).status;
const fault = (await ask(mock, 'POST', mock.adminUrl + '/faults', { effect: {} })).status;
const state = await (await ask(mock, 'GET', mock.adminUrl + '/snapshot')).json();
const snapshot = (await ask(mock, 'PUT', mock.adminUrl + '/snapshot', state)).status;
const forced = { 'x-api-key': mock.keys[0], prefer: 'dynamic=true' };
const dynamic = (await mock(mock.url + '/drives', { headers: forced })).status;
let drawn = 0;
for (let randomSeed = 1; randomSeed <= 20; randomSeed++) {
  const varied = createFetch({ vary: 'visible', randomSeed });
  const answer = await ask(varied, 'POST', varied.url + '/mcp-servers', { name: 'x', url: 'https://a.example/' });
  if (answer.ok) drawn++;
}
// Violations are told later. The last one is wanted: it shows that the policy is strict, and that violations are seen.
const isTold = new Promise((resolve) => addEventListener('securitypolicyviolation', resolve));
await new Promise((resolve) => setTimeout(resolve));
const caused = [...violations];
try { new Function('return 1')(); } catch {}
if (caused.length === 0) await isTold;
return { caused, wanted: violations.slice(caused.length), statuses: { created, refused, fault, snapshot, dynamic }, drawn };
})();
`;

function serveStrictly(code: string) {
  const hash = createHash('sha256').update(program).digest('base64');
  const policy = `default-src 'none'; script-src 'self' 'sha256-${hash}'; connect-src 'self'; base-uri 'none'`;
  return serveSite({
    '/': page(`<!doctype html><title>strict</title><script type="module">${program}</script>`, {
      'content-security-policy': policy,
    }),
    '/fetch.js': script(code),
    '/favicon.ico': { text: '', headers: {} },
  });
}
