import { packageVersion } from '../../openapi/contract/package-version.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { createMock, type Mock, type MockOptions } from '../http/create-mock.ts';
import { banner } from './banner.ts';
import { toChoices } from './choices.ts';
import { createLog, isPretty } from './chosen-log.ts';
import type { Log } from './log.ts';
import { mockOptions } from './mock-options.ts';
import { type Chosen, readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** `agent-platform mock`: listens until it is told to stop. */
export async function runMock(args: readonly string[], terminal: Terminal): Promise<void> {
  const chosen = readOptions(mockOptions, args, terminal.environment);
  const log = createLog(chosen, terminal);
  const mock = await createMock({ ...toMockOptions(chosen), ...listeners(log) });
  sayListening(chosen, terminal, log, mock);
  await terminal.stopped();
  await mock.close();
  if (!(await log.flush())) terminal.giveUp();
}

function listeners({ exchange, unexpected }: Log): MockOptions {
  return exchange === undefined ? { onUnexpected: unexpected } : { onExchange: exchange, onUnexpected: unexpected };
}

function sayListening(chosen: Chosen, terminal: Terminal, log: Log, mock: Mock): void {
  if (isPretty(chosen, terminal)) terminal.write(banner(mock, packageVersion()));
  log.listening({ url: mock.url, randomSeed: mock.engine.world.randomSeed });
}

function toMockOptions(chosen: Chosen): MockOptions {
  const text = (name: string) => chosen.get(name) as string | undefined;
  const given: { [Name in keyof MockOptions]: MockOptions[Name] | undefined } = {
    port: (chosen.get('port') as number | undefined) ?? 4010,
    host: text('host'),
    seed: text('seed'),
    profile: text('profile'),
    set: chosenChoices(
      (chosen.get('set') as string[] | undefined) ?? [],
      chosen.get('body-limit') as number | undefined,
    ),
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
function chosenChoices(settings: readonly string[], bodyLimitBytes: number | undefined): Partial<Profile> {
  const limit = bodyLimitBytes === undefined ? {} : { bodySizeLimit: bodyLimitBytes };
  return { ...limit, ...toChoices(settings) };
}
