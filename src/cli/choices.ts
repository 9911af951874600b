import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Profile, parseChoice, validateChoice } from '../../openapi/contract/profile.ts';
import { UsageError } from './usage-error.ts';

/** The choices that an option such as `--set` names, each as `<open point>=<choice>`. Throws a {@link UsageError}. */
export function parseChoices(optionName: string, settings: readonly string[]): Partial<Profile> {
  if (settings.length === 0) return {};
  const openPoints = loadOpenPoints();
  const entries = settings.map((setting) => {
    const [id, text] = splitSetting(optionName, setting);
    const choice = parseChoice(openPoints, id, text);
    const [violation] = validateChoice(openPoints, id, choice);
    if (violation !== undefined) throw new UsageError(`--${optionName} ${setting}: ${violation.message}.`);
    return [id, choice] as const;
  });
  return Object.fromEntries(entries);
}

function splitSetting(optionName: string, setting: string): [string, string] {
  const end = setting.indexOf('=');
  if (end > 0) return [setting.slice(0, end), setting.slice(end + 1)];
  const example = `--${optionName} createStatus=200`;
  throw new UsageError(`--${optionName} ${setting}: write it as <open point>=<choice>, such as ${example}.`);
}
