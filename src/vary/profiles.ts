import { withDefaults } from '../../lib/options.ts';
import { differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { isLegalChoice, type OpenPoint, withoutNeeds } from '../../openapi/points/open-point.ts';
import { drawProfile } from '../app/draw-profile.ts';
import { StartError } from '../app/start-error.ts';
import { createRandom } from '../domain/random.ts';
import { loadChoices, loadProfile } from '../http/load-settings.ts';
import { type VaryOptions, varyOptions } from '../options/vary-options.ts';
import { contextOf, cover, nameOf, seenIn, toVariables, type Variable, type Wanted } from './covering.ts';
import type { Choices, Ledger } from './ledger.ts';
import type { Suspect } from './probes.ts';
import type { DrawnProfile } from './search.ts';

/** What a search will try. */
interface Prepared {
  base: Profile;
  /** The profile of `only` alone, or the learned ones. */
  given: DrawnProfile[];
  /** The open points that vary in the profiles that are drawn after them; none with `only`. */
  varying: OpenPoint[];
  /** Which of their choices to try. */
  variables: Variable[];
}

export function prepareProfiles(options: VaryOptions): Prepared {
  const settled = withDefaults(varyOptions, options);
  const { profile, set = {}, only = {}, learned = [], impact, runs, randomSeed } = settled;
  const base = loadProfile(profile, set);
  if (Object.keys(only).length > 0) return { base, given: [onlyProfile(options, base)], varying: [], variables: [] };
  if (learned.length + runs === 0) throw invalid('There is no profile to try: --runs is 0 and --learned is missing.');
  // A mock here makes no outbound connections, so choices that need a permission stay as in the base profile.
  const usable = withoutNeeds(loadOpenPoints().filter(({ id }) => !Object.hasOwn(set, id)));
  const given = learned.map((file) => learnedProfile(file, base, usable));
  const varying = usable.filter((point) => impact === 'visible' || point.impact === 'hidden');
  return { base, given, varying, variables: toVariables(varying, base, randomSeed) };
}

function learnedProfile(file: string, base: Profile, usable: readonly OpenPoint[]): DrawnProfile {
  const legal = Object.entries(loadChoices(file)).filter(([id, choice]) =>
    usable.some((point) => point.id === id && isLegalChoice(point, choice)),
  );
  return { name: `the profile of ${file}`, choices: differingChoices(base, { ...base, ...Object.fromEntries(legal) }) };
}

/**
 * Draws up to `runs` profiles while there are choices, or pairs of choices, to try at open points that the tests met.
 * Other open points are drawn at random, except in the first profile, where that would only slow down the search.
 */
export function createDraw(options: VaryOptions, { base, varying, variables }: Prepared, ledger: Ledger) {
  const { runs, randomSeed } = withDefaults(varyOptions, options);
  let drawn = 0;
  const drawOne = (causes: readonly Suspect[], pending: readonly Choices[]): DrawnProfile[] => {
    if (drawn >= runs) return [];
    const wanted = wantedOf(variables, causes, ledger, pending);
    const choices = cover(wanted, createRandom(`${randomSeed + drawn}/vary`));
    if (choices === undefined) return [];
    const unmet = drawn === 0 ? [] : varying.filter(({ id }) => !ledger.met.has(id));
    const others = differingChoices(base, drawProfile(unmet, base, 'visible', randomSeed + drawn));
    drawn++;
    return [{ name: `profile ${drawn} of ${runs}`, choices: { ...others, ...choices } }];
  };
  return (causes: readonly Suspect[]): DrawnProfile[] => {
    const some: DrawnProfile[] = [];
    const count = drawn === 0 ? 1 : ledger.parallel;
    const pending = () => some.map(({ choices }) => choices);
    for (let left = count; left > 0; left--) some.push(...drawOne(causes, pending()));
    return some;
  };
}

/** What no passing run has tried yet. A choice that is a cause by itself stays as in the base. */
function wantedOf(
  all: readonly Variable[],
  causes: readonly Suspect[],
  ledger: Ledger,
  pending: readonly Choices[],
): Wanted {
  const found = causes.map(({ choices }) => Object.keys(choices));
  const alone = found.filter((ids) => ids.length === 1).flat();
  const variables = all.filter(({ id }) => ledger.met.has(id) && !alone.includes(id));
  const seen = seenIn(ledger.tallies, pending);
  return { variables, seen, start: startOf(variables, seen, ledger), apart: found.filter((ids) => ids.length > 1) };
}

/** Some open points are met only with certain choices: a profile for them starts with these. */
function startOf(variables: readonly Variable[], seen: ReadonlySet<string>, ledger: Ledger): Choices {
  const untried = variables.filter(({ id, choices }) => choices.some((choice) => !seen.has(nameOf(id, choice))));
  const contexts = untried.map(({ id }) => contextOf(id, ledger));
  const isMetOnBase = contexts.some((one) => Object.keys(one).length === 0);
  return isMetOnBase ? {} : (contexts[0] ?? {});
}

function onlyProfile({ only = {}, set = {}, learned = [] }: VaryOptions, base: Profile): DrawnProfile {
  const [both] = Object.keys(only).filter((id) => Object.hasOwn(set, id));
  if (both !== undefined) throw invalid(`${both} is in --set and in --only. Remove one of them.`);
  if (learned.length > 0) throw invalid('--only tries a single profile. Remove --learned.');
  const choices = differingChoices(base, { ...base, ...only });
  if (Object.keys(choices).length > 0) return { name: 'the profile of --only', choices };
  throw invalid('--only names choices that the base profile already has. Name a different choice.');
}

function invalid(message: string): StartError {
  return new StartError('OPTION_INVALID', message);
}
