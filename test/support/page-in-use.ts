/**
 * Uses a Markdown page as a reader would: writes the files that it shows, runs its commands in order, and puts the real
 * output into the page. A correct page comes back unchanged.
 *
 * - ```console: `$ command`, then its output. A line `…` stands for any lines, `…` within a line for any text. `^C` stops
 *   the server that was started last. Output that is not shown is not compared.
 * - ```sh: commands that must succeed.
 * - `<!-- recipes -->`, then a table: the commands in its second column must succeed.
 * - ```text is not applied. Any other block needs a comment above it: `<!-- file <name> -->` writes it into the folder of
 *   the page, `<!-- excerpt <path> -->` requires that the file of the repository holds it.
 *
 * `agent-platform-contract` runs within this process; servers take free ports in place of the ones shown.
 */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { run as runCli } from '../../src/cli/run.ts';
import { createTerminal } from './command.ts';
import { selfSigned } from './self-signed.ts';
import { run as runProgram, temporaryFolder } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const programs = join(root, 'node_modules/.bin');
// As set by npm for scripts.
const path = [programs, process.env.PATH].join(delimiter);

// Commands that run elsewhere, each with the file and the words that show where.
const elsewhere: readonly [command: RegExp, file: string, words: string][] = [
  [/^npm ci$/, '.ci/run', 'npm ci'],
  [/^npm test$/, '.ci/run', 'npm test'],
  [/^npm run check$/, '.ci/run', 'npm run check'],
  [/^npm run test:full$/, '.ci/run', 'npm run test:full'],
  [/^npm run test:proof$/, '.ci/run', 'npm run test:proof'],
  [/^npm run power$/, '.ci/run', 'npm run power'],
  [/^npm run torture -- kill$/, 'proof/torture/kill.full.test.ts', 'run({'],
  [
    /^npm run torture -- mutation \w+( --seed \d+ --count \d+)?( --write)?$/,
    'proof/mutation/torture.full.test.ts',
    'mutate(planted',
  ],
  [/^npm run explore -- --minutes \d+$/, 'proof/explore/explore.test.ts', 'allExplorers('],
  [/^npm run format$/, '.ci/run', 'npm run check'],
  [/^npm run generate$/, 'test/contract/generated.test.ts', 'generated()'],
  [/^npm run measure$/, 'test/unit/house.full.test.ts', 'placesOf()'],
  [/^npm run bench( -- --quick)?$/, 'bench/main.ts', 'values.quick'],
  [/^npm run conformance -- restore \S+$/, 'test/suite/restore.test.ts', "conformance(['restore'"],
  [/^npm start -- --processes \d+$/, 'test/package/example-scale-out.full.test.ts', '--processes='],
  [/^npm install$/, 'test/support/examples.ts', "npm(['install'"],
  [/^npm pack$/, 'test/support/packing.ts', "npm(['pack'"],
  [/^npm pack --pack-destination examples\/docker$/, 'test/package/example-docker.full.test.ts', 'await packed()'],
  [
    /^docker compose --file examples\/docker\/compose.yaml up/,
    'test/package/example-docker.full.test.ts',
    'serves the app of compose.yaml',
  ],
  [
    /^npm install --save-dev \S*agent-platform-contract-[\d.]+\.tgz( vitest| @playwright\/test)?$/,
    'test/package/package.full.test.ts',
    'install([tarball]',
  ],
  [
    /^npm run vary -- --profile \S+ -- node --test \S+$/,
    'test/vary/example.full.test.ts',
    'vary finds each dependency of the sample frontend',
  ],
  [/^npx vitest run$/, 'test/package/package.full.test.ts', 'runVitestExample'],
  [/^npx playwright test$/, 'test/package/package.full.test.ts', 'runPlaywrightExample'],
];
export const runElsewhere = elsewhere.map(([command, file, words]) => ({ command, file, words }));

/** The page with the real output in place of the shown one. Rejects if a command fails that must succeed. */
export async function carryOut(page: string): Promise<string> {
  const runner = new Runner();
  try {
    let applied = '';
    let end = 0;
    const parts =
      /(?:<!-- (file|excerpt) (\S+) -->\n\n)?```(\w*)\n([\s\S]*?)```\n|<!-- recipes -->\n\n(?<recipes>(?:\|.*\n)+)/g;
    for (const match of page.matchAll(parts)) {
      const [whole, marker, name = '', language = '', body = ''] = match;
      const recipes = match.groups?.recipes;
      if (recipes !== undefined) {
        await runner.recipes(recipes);
        continue;
      }
      const start = match.index + whole.length - body.length - '```\n'.length;
      applied += page.slice(end, start) + (await runner.block({ marker, name, language, body }));
      end = start + body.length;
    }
    return applied + page.slice(end);
  } finally {
    await runner.close();
  }
}

interface Block {
  marker: string | undefined;
  name: string;
  language: string;
  body: string;
}

interface Server {
  shownPort: string;
  port: string;
  stop(): Promise<string>;
}

class Runner {
  readonly #folder = temporaryFolder('page');
  readonly #files = new Map<string, string>();
  readonly #environment: Record<string, string> = {};
  #servers: Server[] = [];
  /** The port shown in the page for each port taken. */
  readonly #shownPorts = new Map<string, string>();
  #exitCode = 0;
  /** The output of the last server that did not start. */
  #lastFailure = '';
  /** Whether an unrequested error response fails a curl line: if no output is shown, nothing else would fail. */
  #refusalFails = false;

  constructor() {
    for (const name of readdirSync(root).filter((entry) => !/^(\..*|vitest\.config\.ts|test|docs)$/.test(entry))) {
      symlinkSync(join(root, name), this.#folder.at(name));
    }
    // As a reader has made them.
    writeFileSync(this.#folder.at('cert.pem'), selfSigned.cert);
    writeFileSync(this.#folder.at('key.pem'), selfSigned.key);
    process.chdir(this.#folder.path);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    process.chdir(root);
    this.#folder.remove();
  }

  async block({ marker, name, language, body }: Block): Promise<string> {
    if (marker === 'excerpt') requireExcerpt(name, body);
    else if (marker === 'file') this.#write(name, body);
    else if (language === 'console') return this.#console(body);
    else if (language === 'sh') return this.#shell(body);
    else if (language !== 'text') throw new Error(`Say where this block is from, <!-- file … -->:\n${body}`);
    return body;
  }

  async #console(body: string): Promise<string> {
    this.#refusalFails = false;
    const steps = [...body.matchAll(/^(\$ (?:[^\n]*\\\n)*[^\n]*|\^C)\n((?:(?!\$ |\^C).*\n)*)/gm)];
    if (steps.map(([step]) => step).join('') !== body) throw new Error(`A console block begins with "$ ":\n${body}`);
    let applied = '';
    for (const [, command = '', shown = ''] of steps) {
      const output = tidy(await this.#run(command.replace(/^\$ /, '')));
      applied += `${command}\n${shown === '' || matches(shown, output) ? shown : output}`;
    }
    return applied;
  }

  async #shell(body: string): Promise<string> {
    this.#refusalFails = true;
    for (const command of body.replaceAll('\\\n', '').trimEnd().split('\n')) {
      const output = await this.#run(command);
      if (this.#exitCode !== 0) throw new Error(`${command}\nended with ${this.#exitCode}:\n${output}`);
    }
    return body;
  }

  /** The output of a command, with the ports shown in the page. */
  async #run(text: string): Promise<string> {
    const command = text.replaceAll('\\\n', '').replace(/\s+# .*$/, '');
    if (command === '^C') return this.#shown((await this.#servers.pop()?.stop()) ?? '');
    if (command === 'echo $?') return String(this.#exitCode);
    const [first = '', otherwise] = command.split(' || echo ');
    let output = '';
    for (const part of first.split(' && ')) output = await this.#runOne(part);
    return this.#exitCode === 0 || otherwise === undefined ? this.#shown(output) : wordsOf(otherwise).join(' ');
  }

  async #runOne(command: string): Promise<string> {
    this.#exitCode = 0;
    if (runElsewhere.some((other) => other.command.test(command))) return '';
    const [program = '', ...args] = wordsOf(this.#actual(command));
    if (program === 'export') return this.#export(args);
    if (program === 'curl') return this.#curl(args);
    if (program === 'npm') return this.#npm(args);
    if (program === 'npx' && args[0] === 'agent-platform-contract') return this.#cli(args.slice(1));
    return this.#program(program === 'npx' ? args : [program, ...args]);
  }

  #export([assignment = '']: readonly string[]): string {
    const [name = '', value = ''] = assignment.split(/=(.*)/s);
    this.#environment[name] = value;
    return '';
  }

  /** Runs the commands in the second column of a table. */
  async recipes(table: string): Promise<void> {
    const cells = table.matchAll(/^\|[^|]*\| `((?:npm|npx|curl) [^`]*)` \|/gm);
    await this.#shell([...cells].map(([, command]) => `${command}\n`).join(''));
  }

  #npm([verb = '', ...args]: readonly string[]): Promise<string> {
    const script = verb === 'run' ? args[0] : verb;
    const rest = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [];
    return this.#cli([script === 'start' ? 'mock' : (script ?? ''), ...rest]);
  }

  async #program([program = '', ...args]: readonly string[]): Promise<string> {
    const options = { cwd: this.#folder.path, programs: [programs], environment: this.#environment };
    const { stdout, stderr, exitCode } = await runProgram(program, args, options);
    this.#exitCode = exitCode ?? 1;
    return stdout + stderr;
  }

  async #cli(args: readonly string[]): Promise<string> {
    const isServer = (args[0] === 'mock' || args[0] === 'proxy') && !args.includes('--help');
    if (isServer) return this.#serve(args);
    const target = this.#servers.find(({ shownPort }) => shownPort === '4010');
    const judges = args[0] === 'conformance' && target !== undefined && !args.includes('--base-url');
    const environment = judges ? { AGENT_PLATFORM_BASE_URL: `http://127.0.0.1:${target.port}/v0.1` } : {};
    const said = { text: '' };
    this.#exitCode = await runCli(args, this.#terminal(said, environment));
    return said.text;
  }

  async #serve(args: readonly string[]): Promise<string> {
    const at = args.indexOf('--port');
    const shownPort = (at < 0 ? undefined : args[at + 1]) ?? (args[0] === 'mock' ? '4010' : '4011');
    const others = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
    await this.#vacate(shownPort);
    const said = { text: '' };
    const listening = Promise.withResolvers<string>();
    const stopped = Promise.withResolvers<NodeJS.Signals>();
    const terminal = this.#terminal(said, { AGENT_PLATFORM_LOG_LEVEL: 'silent' }, (text) => {
      const port = /Base URL\s+https?:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) listening.resolve(port);
    });
    const person = { ...terminal, isInteractive: true, stopped: () => stopped.promise };
    const ended = runCli([...others, '--port', '0'], person);
    const port = await Promise.race([listening.promise, ended]);
    if (typeof port === 'number') {
      this.#exitCode = port;
      this.#lastFailure = said.text;
      return said.text;
    }
    this.#shownPorts.set(port, shownPort);
    this.#servers.push({ shownPort, port, stop: () => stopServer(said, () => stopped.resolve('SIGINT'), ended) });
    this.#writeAll();
    return this.#shown(said.text);
  }

  /** Stops the server on the port, since the page starts a new one there. */
  async #vacate(shownPort: string): Promise<void> {
    const isThere = (server: Server) => server.shownPort === shownPort;
    await this.#servers.find(isThere)?.stop();
    this.#servers = this.#servers.filter((server) => !isThere(server));
  }

  #terminal(said: { text: string }, environment: Record<string, string>, onText = (_: string): void => undefined) {
    const write = (text: string) => {
      said.text += stripVTControlCharacters(text);
      onText(said.text);
    };
    return createTerminal({
      environment: { PATH: path, ...this.#environment, ...environment },
      isInteractive: false,
      write,
      complain: (text) => write(`${text}\n`),
    });
  }

  /** The output of a curl line; without a response, the exit code is that for a lost connection. */
  async #curl(args: readonly string[]): Promise<string> {
    const valuesOf = (flag: string) => args.filter((_, index) => args[index - 1] === flag);
    const [sent] = valuesOf('-d');
    const data = sent?.startsWith('@') ? readFileSync(sent.slice(1), 'utf8') : sent;
    const request = {
      method: valuesOf('-X')[0] ?? (data === undefined ? 'GET' : 'POST'),
      headers: valuesOf('-H').map((header) => header.split(': ') as [string, string]),
      ...(data === undefined ? {} : { body: data }),
    };
    const url = args.at(-1) ?? '';
    // Something else may listen on the port shown in the page.
    if (/\b127\.0\.0\.1:401\d\b/.test(url)) throw new Error(`The page has no server for ${url}. ${this.#lastFailure}`);
    try {
      const response = await fetch(url, request);
      const body = await response.text();
      const [file] = valuesOf('-o');
      if (file !== undefined) writeFileSync(file, body);
      const asked = /[?&]__code=(\d+)/.exec(url)?.[1];
      const isExpected = asked === undefined ? response.ok : response.status === Number(asked);
      if (this.#refusalFails && !isExpected) this.#exitCode = 22;
      return (file === undefined ? body : '') + written(valuesOf('-w')[0] ?? '', response);
    } catch {
      this.#exitCode = 56;
      return '';
    }
  }

  #write(name: string, text: string): void {
    this.#files.set(name, text);
    this.#writeAll();
  }

  #writeAll(): void {
    for (const [name, text] of this.#files) writeFileSync(this.#folder.at(name), this.#actual(text));
  }

  #actual(text: string): string {
    const moved = this.#servers.reduce(
      (changed, { shownPort, port }) => changed.replaceAll(`127.0.0.1:${shownPort}`, `127.0.0.1:${port}`),
      text,
    );
    return moved
      .replaceAll("'agent-platform-contract'", `'${join(root, 'src/index.ts')}'`)
      .replaceAll("'agent-platform-contract/fetch'", `'${join(root, 'src/browser/fetch.ts')}'`)
      .replaceAll("'agent-platform-contract/msw'", `'${join(root, 'src/browser/msw.ts')}'`)
      .replaceAll("'agent-platform-contract/vitest'", `'${join(root, 'conformance/vitest.ts')}'`)
      .replaceAll("'agent-platform-contract/conformance'", `'${join(root, 'conformance/index.ts')}'`);
  }

  #shown(text: string): string {
    return text.replaceAll(/127\.0\.0\.1:(\d+)/g, (_, port) => `127.0.0.1:${this.#shownPorts.get(port) ?? port}`);
  }
}

async function stopServer(said: { text: string }, stop: () => void, ended: Promise<unknown>): Promise<string> {
  said.text = '';
  stop();
  await ended;
  return said.text;
}

function requireExcerpt(path: string, body: string): void {
  if (!readFileSync(join(root, path), 'utf8').includes(body)) throw new Error(`${path} holds no such lines:\n${body}`);
}

/** The words of a command line; both kinds of quotes keep words together. */
function wordsOf(command: string): string[] {
  const words = command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g);
  return [...words].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two));
}

/** What curl prints about a response for `-w`. */
function written(format: string, { status, headers }: Response): string {
  return format
    .replaceAll('\\n', '\n')
    .replaceAll('%{http_code}', String(status))
    .replaceAll(/%header\{([\w-]+)\}/g, (_, name: string) => headers.get(name) ?? '');
}

/** Output as shown in a page: no trailing blanks, one line break at the end. */
function tidy(output: string): string {
  const text = output.replaceAll(/[ \t]+$/gm, '').trim();
  return text === '' ? '' : `${text}\n`;
}

/** Whether output matches the shown one, in which `…` stands for any lines, or for any text within a line. */
function matches(shown: string, output: string): boolean {
  const pattern = shown
    .split(/^…\n/m)
    .map((part) => part.split('…').map(escaped).join('.*'))
    .join('(?:.*\\n)*');
  return new RegExp(`^${pattern}$`).test(output);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
