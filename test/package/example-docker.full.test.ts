/** The lines of the Dockerfile and the services of compose.yaml, carried out without Docker: see its README. */
import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../support/free-port.ts';
import { checkout, npmMs, packed } from '../support/packing.ts';
import { run, type ShellOptions, start, succeed, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

interface Service {
  build?: string;
  image?: string;
  environment: Record<string, string | number>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  command?: [string, ...string[]];
}

let folder: TemporaryFolder;
let context: string;
let built: Built;
let services: Record<'mock' | 'app', Service>;

// With the Node of the tests.
const programs = [dirname(process.execPath)];
const shellAt = (cwd: string): ShellOptions => ({ cwd, programs, timeoutMs: npmMs });

beforeAll(async () => {
  folder = temporaryFolder('example-docker');
  context = folder.at('context');
  cpSync(join(checkout, 'examples/docker'), context, { recursive: true });
  const tarball = await packed();
  cpSync(tarball, join(context, basename(tarball)));
  mkdirSync(folder.at('root'));
  built = await build(readFileSync(join(context, 'Dockerfile'), 'utf8'), context, folder.at('root'), shellAt(context));
  services = parse(readFileSync(join(context, 'compose.yaml'), 'utf8')).services;
});
afterAll(() => folder.remove());

const texts = (environment: Service['environment']) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

/** Starts CMD as its user would: as somebody who may not write, where the tests run as root. */
function startMock(environment: Record<string, string>) {
  const options = { ...shellAt(built.cwd), environment: { ...built.environment, ...environment } };
  const [program, ...args] = built.command;
  if (process.getuid?.() !== 0) return start(program, args, options);
  chmodSync(folder.path, 0o755);
  const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  return start('setpriv', [...nobody, program, ...args], {
    ...options,
    environment: { ...options.environment, HOME: '/' },
  });
}

describe('the example of Docker', () => {
  it('is built in an empty folder, keeps no tarball, and does not run as root', () => {
    expect(readdirSync(built.cwd).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
    expect(built.user).toBe('node');
  });

  it('listens on PORT, is healthy while it runs, and writes nothing', async () => {
    const PORT = String(await freePort());
    const isHealthy = async () => {
      const [program, ...args] = built.healthcheck;
      const { exitCode } = await run(program, args, { ...shellAt(built.cwd), environment: { PORT } });
      return exitCode;
    };
    expect(await isHealthy()).toBe(1);
    const mock = startMock({ PORT });
    try {
      expect(JSON.parse(await mock.firstLine())).toMatchObject({ message: 'listening' });
      expect(await isHealthy()).toBe(0);
      const { exitCode, stderr } = await mock.stop();
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(await isHealthy()).toBe(1);
    } finally {
      mock.kill();
    }
  });

  it('serves the app of compose.yaml, which waits until it is healthy', async () => {
    const { mock: served, app } = services;
    expect(served.build).toBe('.');
    expect(app.depends_on).toEqual({ mock: { condition: 'service_healthy' } });
    // Each side of a port and of a volume is the one that the other lines name.
    const { PORT } = texts(served.environment);
    expect(served.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`]);
    expect(app.environment.AGENT_PLATFORM_BASE_URL).toBe(`http://mock:${PORT}/v0.1`);
    const [source = '', target = ''] = app.volumes?.[0]?.split(':') ?? [];
    expect(app.command).toEqual(['node', target]);
    const port = String(await freePort());
    const mock = startMock({ ...texts(served.environment), PORT: port });
    try {
      await mock.firstLine();
      const environment = { ...texts(app.environment), AGENT_PLATFORM_BASE_URL: `http://127.0.0.1:${port}/v0.1` };
      const { stdout, stderr } = await run('node', [join(context, source)], { ...shellAt(context), environment });
      expect({ stdout, stderr }).toEqual({ stdout: '200: 5 drives\n', stderr: '' });
      expect(readFileSync(join(context, 'README.md'), 'utf8')).toContain(stdout.trim());
    } finally {
      mock.kill();
    }
  });
});

/** The instructions of a Dockerfile, with continued lines joined. */
function instructionsOf(dockerfile: string) {
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ', 1)[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }));
}

/** The content of the brackets of CMD or HEALTHCHECK: a program and its arguments. */
function programOf(text: string): [string, ...string[]] {
  return JSON.parse(text.slice(text.indexOf('[')));
}

/** An image, as far as it is a folder. */
interface Built {
  /** Where CMD runs. */
  cwd: string;
  environment: Record<string, string>;
  user: string;
  command: [string, ...string[]];
  healthcheck: [string, ...string[]];
}

/**
 * Executes the instructions without Docker: they run in a folder that stands for the root of the image. `context` is the
 * folder of the Dockerfile, `root` an empty one.
 */
async function build(dockerfile: string, context: string, root: string, shell: ShellOptions): Promise<Built> {
  // An image has a cache of its own. Emptying it must not empty that of the user, which others use meanwhile.
  const inImage = { ...shell.environment, npm_config_cache: `${root}-npm-cache` };
  const built: Built = { cwd: root, environment: {}, user: 'root', command: [''], healthcheck: [''] };
  const carryOut: Record<string, (text: string) => unknown> = {
    FROM: () => undefined,
    EXPOSE: () => undefined,
    WORKDIR: (text) => {
      built.cwd = join(root, text);
      mkdirSync(built.cwd, { recursive: true });
    },
    COPY: (text) => {
      const words = text.split(' ');
      const files = words.slice(0, -1).flatMap((pattern) => globSync(pattern, { cwd: context }));
      if (files.length === 0) throw new Error(`COPY ${text}: nothing to copy`);
      for (const file of files) cpSync(join(context, file), join(built.cwd, words.at(-1) ?? '', basename(file)));
    },
    RUN: (text) => succeed('sh', ['-c', text], { ...shell, cwd: built.cwd, environment: inImage }),
    ENV: (text) => {
      for (const pair of text.split(' ')) built.environment[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? '';
    },
    USER: (text) => {
      built.user = text;
    },
    HEALTHCHECK: (text) => {
      built.healthcheck = programOf(text);
    },
    CMD: (text) => {
      built.command = programOf(text);
    },
  };
  for (const { word, text } of instructionsOf(dockerfile)) {
    const step = carryOut[word];
    if (step === undefined) throw new Error(`${word} is not known here. Add it to this file.`);
    await step(text);
  }
  return built;
}
