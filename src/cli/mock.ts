import { packageVersion } from '../../openapi/contract/package-version.ts';
import { createMock, type Mock, type MockOptions } from '../http/create-mock.ts';
import { loadProfile } from '../http/settings.ts';
import { banner } from './banner.ts';
import { parseChoices } from './choices.ts';
import { type DrawnWorld, describeDrawnWorld, drawnWorldOf } from './drawn-world.ts';
import { createJsonLog, createPrettyLog, type Log } from './log.ts';
import { type LogLevel, mockOptions } from './mock-options.ts';
import { type Chosen, readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** `agent-platform mock`: listens until it is told to stop. */
export async function runMock(args: readonly string[], terminal: Terminal): Promise<void> {
  const chosen = readOptions(mockOptions, args, terminal.environment);
  const log = createLog(chosen, terminal);
  const options = toMockOptions(chosen);
  const mock = await createMock({ ...options, ...listeners(log) });
  sayListening(chosen, terminal, log, mock, drawnBy(args, options, mock));
  await terminal.stopped();
  await mock.close();
  if (!(await log.flush())) terminal.giveUp();
}

function isPretty(chosen: Chosen, terminal: Terminal): boolean {
  return (chosen.get('log-format') ?? (terminal.isInteractive ? 'pretty' : 'json')) === 'pretty';
}

function createLog(chosen: Chosen, terminal: Terminal): Log {
  const level = (chosen.get('log-level') ?? 'info') as LogLevel;
  return isPretty(chosen, terminal) ? createPrettyLog(level, terminal.write) : createJsonLog(level);
}

function listeners({ exchange, unexpected }: Log): MockOptions {
  return exchange === undefined ? { onUnexpected: unexpected } : { onExchange: exchange, onUnexpected: unexpected };
}

function sayListening(chosen: Chosen, terminal: Terminal, log: Log, mock: Mock, drawn: DrawnWorld | undefined): void {
  const isGreeting = isPretty(chosen, terminal);
  if (isGreeting) terminal.write(banner(mock, packageVersion()));
  if (isGreeting && drawn !== undefined) terminal.write(describeDrawnWorld(drawn));
  log.listening({ url: mock.url, randomSeed: mock.engine.world.randomSeed, ...drawn });
}

/** What `--vary` drew. */
function drawnBy(args: readonly string[], { vary, profile, set }: MockOptions, mock: Mock): DrawnWorld | undefined {
  if (vary === undefined) return undefined;
  const { randomSeed } = mock.engine.world;
  return drawnWorldOf(args, { vary, randomSeed, profile: mock.profile }, loadProfile(profile, set));
}

function toMockOptions(chosen: Chosen): MockOptions {
  const text = (name: string) => chosen.get(name) as string | undefined;
  const given: { [Name in keyof MockOptions]: MockOptions[Name] | undefined } = {
    port: (chosen.get('port') as number | undefined) ?? 4010,
    host: text('host'),
    seed: text('seed'),
    profile: text('profile'),
    set: choicesFrom(chosen),
    vary: chosen.get('vary') as MockOptions['vary'],
    clock: text('clock'),
    randomSeed: chosen.get('random-seed') as number | undefined,
    cors: chosen.get('no-cors') !== true,
    openPointsHeader: chosen.get('no-open-points-header') !== true,
    openKeys: chosen.get('open-keys') === true,
    maxWorlds: chosen.get('max-worlds') as number | undefined,
    admin: chosen.get('no-admin') !== true,
    adminToken: text('admin-token'),
    journalLimit: chosen.get('journal-limit') as number | undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as MockOptions;
}

/** The choices of `--set` and of the flags that stand for one. */
function choicesFrom(chosen: Chosen): MockOptions['set'] {
  const limitBytes = chosen.get('body-limit') as number | undefined;
  const limit = limitBytes === undefined ? {} : { bodySizeLimit: limitBytes };
  return { ...limit, ...parseChoices('set', (chosen.get('set') as string[] | undefined) ?? []) };
}
