import { packageVersion } from '../../openapi/contract/package-version.ts';
import { createMock, type Mock, type MockOptions } from '../http/create-mock.ts';
import type { LiveMcpOptions } from '../http/live-tools/live-mcp-options.ts';
import { defaultLiveMcp } from '../http/mock-defaults.ts';
import { loadProfile } from '../http/settings.ts';
import { banner } from './banner.ts';
import { parseChoices } from './choices.ts';
import { createLog, isPretty } from './chosen-log.ts';
import { type DrawnWorld, describeDrawnWorld, drawnWorldOf } from './drawn-world.ts';
import type { Log } from './log.ts';
import { mockOptions } from './mock-options.ts';
import { type Chosen, readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

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
    liveMcp: toLiveMcp(chosen),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as MockOptions;
}

/** What `--live-mcp` and the options beside it say. Throws a {@link UsageError} when these stand without it. */
function toLiveMcp(chosen: Chosen): LiveMcpOptions | undefined {
  const beside = ['live-mcp-allow', 'live-mcp-timeout', 'live-mcp-cache'].find((name) => chosen.has(name));
  const isLive = chosen.get('live-mcp') === true;
  if (!isLive && beside !== undefined) throw new UsageError(`--${beside} does nothing without --live-mcp. Add it.`);
  if (!isLive) return undefined;
  return {
    allow: (chosen.get('live-mcp-allow') as string[] | undefined) ?? [],
    timeoutMs: (chosen.get('live-mcp-timeout') as number | undefined) ?? defaultLiveMcp.timeoutMs,
    cacheMs: (chosen.get('live-mcp-cache') as number | undefined) ?? defaultLiveMcp.cacheMs,
  };
}

/** The choices of `--set` and of the flags that stand for one. */
function choicesFrom(chosen: Chosen): MockOptions['set'] {
  const limitBytes = chosen.get('body-limit') as number | undefined;
  const limit = limitBytes === undefined ? {} : { bodySizeLimit: limitBytes };
  return { ...limit, ...parseChoices('set', (chosen.get('set') as string[] | undefined) ?? []) };
}
