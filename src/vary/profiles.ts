import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Choice, isLegalChoice, withoutNeeds } from '../../openapi/contract/open-points.ts';
import { withDefaults } from '../../openapi/contract/options.ts';
import { differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import { shownCommand } from '../../openapi/contract/shown-command.ts';
import { quoted } from '../../reporting/text.ts';
import { loadChoices, loadProfile } from '../node/load-settings.ts';
import { StartError } from '../node/start-error.ts';
import { drawProfile } from '../workbench/draw-profile.ts';
import type { DrawnProfile } from './search.ts';
import { type VaryOptions, varyOptions } from './vary-options.ts';

/** The base profile, and the profiles to try: that of `only` alone, or the learned ones and then the drawn ones. */
export function prepareProfiles(options: VaryOptions): { base: Profile; profiles: DrawnProfile[] } {
  const settled = withDefaults(varyOptions, options);
  const { profile, set = {}, only = {}, learned = [], loudness, runs, randomSeed } = settled;
  const base = loadProfile(profile, set);
  if (Object.keys(only).length > 0) return { base, profiles: [onlyProfile(options, base)] };
  if (learned.length + runs === 0) throw invalid('There is no profile to try: --runs is 0 and --learned is missing.');
  const varying = loadOpenPoints().filter(({ id }) => !Object.hasOwn(set, id));
  // A mock here contacts nobody, so choices that need a permission stay as in the base profile.
  const playable = new Map(withoutNeeds(varying).map((point) => [point.id, point]));
  const toProfile = (name: string, choices: object) => ({
    name,
    choices: differingChoices(base, { ...base, ...choices }),
  });
  const fromServers = learned.map((file) => {
    const legal = Object.entries(loadChoices(file)).filter(([id, choice]) => {
      const point = playable.get(id);
      return point !== undefined && isLegalChoice(point, choice);
    });
    return toProfile(`the profile of ${file}`, Object.fromEntries(legal));
  });
  const drawn = Array.from({ length: runs }, (_, index) =>
    toProfile(`profile ${index + 1} of ${runs}`, drawProfile(varying, base, loudness, randomSeed + index)),
  );
  return { base, profiles: [...fromServers, ...drawn] };
}

function onlyProfile({ only = {}, set = {}, learned = [] }: VaryOptions, base: Profile): DrawnProfile {
  const [both] = Object.keys(only).filter((id) => Object.hasOwn(set, id));
  if (both !== undefined) throw invalid(`${both} is in --set and in --only. Remove one of them.`);
  if (learned.length > 0) throw invalid('--only tries a single profile. Remove --learned.');
  const choices = differingChoices(base, { ...base, ...only });
  if (Object.keys(choices).length > 0) return { name: 'the profile of --only', choices };
  throw invalid('--only names choices that the base profile has already. Name another choice.');
}

function invalid(message: string): StartError {
  return new StartError('OPTION_INVALID', message);
}

/** The commands that play choices over the base profile again: for the tests, and in a mock. */
export function replayCommands(
  options: VaryOptions,
  choices: Readonly<Record<string, Choice>>,
  isFlaky: boolean,
): { again: string; mock: string } {
  const { profile, seed, clock, openKeys, set = {}, timeoutMs, repeat, command } = options;
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${name}`, quoted(String(value))];
  const named = (name: string, all: object) =>
    Object.entries(all).flatMap(([id, choice]) => option(name, `${id}=${choice}`));
  const state = [...option('profile', profile), ...option('seed', seed), ...option('clock', clock)];
  const mock = [...state, ...(openKeys ? ['--open-keys'] : []), ...named('set', set)];
  // With steady tests, a single failing run is enough.
  const again = [...mock, ...option('timeout', timeoutMs), ...option('repeat', isFlaky ? repeat : 1)];
  return {
    again: shownCommand('vary', [...again, ...named('only', choices), '--', ...command.map(quoted)]),
    mock: shownCommand('mock', [...mock, ...named('set', choices)]),
  };
}
