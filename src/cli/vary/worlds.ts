import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import { isLegalChoice, type OpenPoint, withoutNeeds } from '../../../openapi/contract/open-points.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { drawProfile, type Loudness } from '../../engine/draw-profile.ts';
import { loadChoices, loadProfile } from '../../http/settings.ts';
import { parseChoices } from '../choices.ts';
import { differing } from '../drawn-world.ts';
import type { Chosen } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import type { World } from './search.ts';

/** What the worlds are made of. */
export interface WorldSettings {
  profile: string | undefined;
  /** Choices that are settled. */
  set: Partial<Profile>;
  only: Partial<Profile>;
  learned: readonly string[];
  loudness: Loudness;
  /** How many are drawn. */
  count: number;
  randomSeed: number;
}

export function worldSettingsOf(chosen: Chosen): WorldSettings {
  const list = (name: string) => (chosen.get(name) as string[] | undefined) ?? [];
  const only = parseChoices('only', list('only'));
  const isAlone = Object.keys(only).length > 0;
  return {
    profile: chosen.get('profile') as string | undefined,
    set: parseChoices('set', list('set')),
    only,
    learned: list('learned'),
    loudness: (chosen.get('loudness') as Loudness | undefined) ?? 'loud',
    count: isAlone ? 0 : ((chosen.get('runs') as number | undefined) ?? 20),
    randomSeed: (chosen.get('random-seed') as number | undefined) ?? 1,
  };
}

/** The base, and the worlds to try over it: that of `--only` alone, or the learned ones and then the drawn. */
export function prepareWorlds(settings: WorldSettings): { base: Profile; worlds: World[] } {
  const base = loadProfile(settings.profile, settings.set);
  const { only, learned, count } = settings;
  if (Object.keys(only).length > 0) return { base, worlds: [onlyWorld(settings, base)] };
  if (learned.length + count === 0)
    throw new UsageError('There is no world to try: --runs is 0, and --learned absent.');
  const varying = loadOpenPoints().filter(({ id }) => !Object.hasOwn(settings.set, id));
  return {
    base,
    worlds: [...learned.map((file) => learnedWorld(file, base, varying)), ...drawn(settings, base, varying)],
  };
}

function onlyWorld({ only, set, learned }: WorldSettings, base: Profile): World {
  const [settled] = Object.keys(only).filter((id) => Object.hasOwn(set, id));
  if (settled !== undefined) throw new UsageError(`${settled} stands in --set and in --only; leave one of them out.`);
  if (learned.length > 0) throw new UsageError('--only tries one world alone; leave --learned out.');
  const choices = differing(base, { ...base, ...only });
  if (Object.keys(choices).length > 0) return { name: 'the world of --only', choices };
  throw new UsageError('What --only names is what the base plays. Choose something else.');
}

// What needs a permission is left as it is in the base: no mock here contacts anybody.
function learnedWorld(file: string, base: Profile, varying: readonly OpenPoint[]): World {
  const playable = withoutNeeds(varying);
  const learned = Object.entries(loadChoices(file)).filter(([id, choice]) =>
    playable.some((point) => point.id === id && isLegalChoice(point, choice)),
  );
  return { name: `the world of ${file}`, choices: differing(base, { ...base, ...Object.fromEntries(learned) }) };
}

function drawn({ loudness, count, randomSeed }: WorldSettings, base: Profile, varying: readonly OpenPoint[]): World[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `world ${index + 1} of ${count}`,
    choices: differing(base, drawProfile(varying, base, loudness, randomSeed + index)),
  }));
}
