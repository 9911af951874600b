import { styleText } from 'node:util';
import type { Values } from '../../openapi/contract/options.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { differingChoices } from '../../openapi/contract/profile.ts';
import { nameList } from '../../reporting/text.ts';
import type { LiveMcpOptions } from '../node/live-tools/live-mcp-options.ts';
import { loadProfile } from '../node/load-settings.ts';
import { createMock, type Mock, type MockOptions } from '../node/mock/create-mock.ts';
import { banner } from './banner.ts';
import { parseChoices } from './choices.ts';
import { mockFlags } from './flags.ts';
import { createLog, isPretty } from './log.ts';
import { optionWords, readOptions, UsageError } from './options.ts';
import type { Terminal } from './terminal.ts';

/** `agent-platform mock`: listens until it is stopped. The exit code. */
export async function runMock(args: readonly string[], terminal: Terminal): Promise<number> {
  const values = readOptions(mockFlags, args, terminal.environment);
  const options = toMockOptions(values);
  const log = createLog(values, terminal);
  const { exchange, unexpected } = log;
  const mock = await createMock({ ...options, ...(exchange && { onExchange: exchange }), onUnexpected: unexpected });
  const drawn = drawnProfile(args, options, mock);
  if (isPretty(values, terminal)) {
    terminal.write(banner(mock, packageVersion()));
    if (drawn !== undefined) terminal.write(describe(drawn));
  }
  log.listening({ url: mock.url, randomSeed: mock.engine.runtime.randomSeed, ...drawn });
  await terminal.stopped();
  await mock.close();
  if (!(await log.flush())) terminal.giveUp();
  return 0;
}

function toMockOptions(values: Values<typeof mockFlags>): MockOptions {
  const { set, bodyLimit, liveMcp, liveMcpAllow, liveMcpTimeout, liveMcpCache, logFormat, logLevel, ...rest } = values;
  const limit = bodyLimit === undefined ? {} : { bodySizeLimit: bodyLimit };
  const live = toLiveMcp(values);
  return {
    port: mockFlags.port.default,
    ...rest,
    set: { ...limit, ...parseChoices('set', set) },
    ...(live && { liveMcp: live }),
  };
}

function toLiveMcp(values: Values<typeof mockFlags>): LiveMcpOptions | undefined {
  const { liveMcp, liveMcpAllow: allow, liveMcpTimeout: timeoutMs, liveMcpCache: cacheMs } = values;
  if (liveMcp !== true) {
    const useless = (['liveMcpAllow', 'liveMcpTimeout', 'liveMcpCache'] as const).find((key) => key in values);
    if (useless === undefined) return undefined;
    throw new UsageError(`--${mockFlags[useless].name} does nothing without --live-mcp. Add it.`);
  }
  return { ...(allow && { allow }), ...(timeoutMs && { timeoutMs }), ...(cacheMs !== undefined && { cacheMs }) };
}

type DrawnProfile = NonNullable<ReturnType<typeof drawnProfile>>;

/** What `--vary` drew: the choices that differ from the base profile, and the command that plays them again. */
function drawnProfile(args: readonly string[], { vary, profile, set }: MockOptions, mock: Mock) {
  if (vary === undefined) return undefined;
  const { randomSeed } = mock.engine.runtime;
  const secrets = Object.values(mockFlags).flatMap((option) => ('secret' in option ? [option.name] : []));
  const words = optionWords(mockFlags, args, ['vary', 'random-seed', ...secrets]);
  const replay = ['agent-platform mock', `--vary=${vary}`, `--random-seed ${randomSeed}`, ...words].join(' ');
  return { vary, randomSeed, choices: differingChoices(loadProfile(profile, set), mock.profile), replay };
}

function describe({ vary, randomSeed, choices, replay }: DrawnProfile): string {
  const names = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  const count = names.length === 1 ? '1 choice differs' : `${names.length || 'No'} choices differ`;
  const title = styleText('bold', `Profile drawn from random seed ${randomSeed} (${vary}).`);
  return [
    `  ${title} ${count} from the base profile${names.length === 0 ? '.' : ':'}`,
    ...nameList(names),
    `  Play it again:  ${replay}`,
    '',
    '',
  ].join('\n');
}
