/*
 * Settings that ask a run for more and get nothing, since another setting is missing or the selected checks do not use
 * it. A setting is idle if the plan of the run is the same without it, so that this follows from what checks and
 * observers need. To add a setting that asks for more: a row here, and its share in `plan.ts`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RegisteredCheck } from '../checks/index.ts';
import type { Observer } from '../observe/observer.ts';
import { type NeedName, needs, unmet } from './needs.ts';
import { planOf } from './plan.ts';
import type { Settings } from './settings.ts';

interface Request {
  /** The flag. Its key in a config is almost the same. */
  flag: string;
  isGiven(settings: Settings): boolean;
  /** The settings without it. */
  without: Partial<Settings>;
  needs: readonly NeedName[];
  /** What a run of some checks leaves out; absent if each check decides for itself. */
  ofWholeRun?: string;
  /** Why no selected check uses it. */
  unused: string;
}

const requests: readonly Request[] = [
  {
    flag: '--allow-writes',
    isGiven: ({ allowWrites }) => allowWrites,
    without: { allowWrites: false },
    needs: [],
    unused: 'no selected check changes anything with these settings',
  },
  {
    flag: '--allow-destructive',
    isGiven: ({ allowDestructive }) => allowDestructive,
    without: { allowDestructive: false },
    needs: ['writes', 'treeParameter', 'disposableFiles'],
    unused: 'no selected check deletes anything with these settings',
  },
  {
    flag: '--volume',
    isGiven: ({ volume }) => volume,
    without: { volume: false },
    needs: ['writes'],
    ofWholeRun: 'makes many of anything',
    unused: 'it changes nothing here',
  },
  {
    flag: '--walk',
    isGiven: ({ given = [], walk }) => given.includes('walk') && walk > 0,
    without: { walk: 0 },
    needs: ['writes'],
    ofWholeRun: 'walks',
    unused: 'it is too short',
  },
  {
    flag: '--host-mcp-server',
    isGiven: ({ hostMcpServer }) => hostMcpServer,
    without: { hostMcpServer: false },
    needs: ['writes'],
    unused: 'no selected check uses it',
  },
];

/** Why some settings have no effect on a run of these checks and observers, one line each. */
export function idleSettings(
  selected: readonly RegisteredCheck[],
  settings: Settings,
  observers: readonly Observer[],
  isWhole: boolean,
): string[] {
  const planned = planOf(selected, settings, observers);
  const isIdle = ({ isGiven, without }: Request) =>
    isGiven(settings) && isDeepStrictEqual(planOf(selected, { ...settings, ...without }, observers), planned);
  const idle = requests.filter(isIdle).map((request) => `${request.flag}: ${whyIdle(request, settings, isWhole)}`);
  const { hostMcpUrl, hostMcpServer } = settings;
  const isUrlIdle = hostMcpUrl !== undefined && !hostMcpServer;
  return isUrlIdle ? [...idle, '--host-mcp-url: hostMcpServer is set to false'] : idle;
}

function whyIdle({ needs: names, ofWholeRun, unused }: Request, settings: Settings, isWhole: boolean): string {
  if (ofWholeRun !== undefined && !isWhole) return `only a run of all checks ${ofWholeRun}`;
  const missing = unmet(names, settings).map((name) => needs[name].setting);
  if (missing.length === 0) return unused;
  const named = missing.map((setting) => (setting.startsWith('--') ? setting : `${setting} in the config`));
  return `it also needs ${new Intl.ListFormat('en').format(named)}`;
}
