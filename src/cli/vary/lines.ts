import type { Choice } from '../../../openapi/contract/open-points.ts';
import { quoted } from '../command-line.ts';
import type { Chosen } from '../options.ts';

/** What a world is made of beside its choices; each command that plays it again needs these. */
const kept = ['profile', 'seed', 'clock', 'open-keys', 'set'];

/** The lines that play choices over the base again: to the tests, and in a mock of its own. */
export function linesFor(
  chosen: Chosen,
  command: readonly string[],
  choices: Readonly<Record<string, Choice>>,
  isFlaky: boolean,
): { again: string; mock: string } {
  const world = wordsOf(chosen, kept);
  const named = (flag: string) => Object.entries(choices).flatMap(([id, choice]) => [flag, quoted(`${id}=${choice}`)]);
  // Where the tests are steady, one red run says it all.
  const repeat = isFlaky ? wordsOf(chosen, ['repeat']) : ['--repeat', '1'];
  const own = [...world, ...wordsOf(chosen, ['timeout']), ...repeat, ...named('--only')];
  return {
    again: ['agent-platform vary', ...own, '--', ...command.map(quoted)].join(' '),
    mock: ['agent-platform mock', ...world, ...named('--set')].join(' '),
  };
}

// As chosen, not as typed: the environment may be another when the line is pasted.
function wordsOf(chosen: Chosen, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = chosen.get(name);
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().flatMap((one) => [`--${name}`, quoted(String(one))]);
  });
}
