import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Profile, parseChoice, validateChoice } from '../../openapi/contract/profile.ts';
import { UsageError } from './read-options.ts';

/** The choices in an option such as `--set`, each written `<open point>=<choice>`. Throws a {@link UsageError}. */
export function parseChoices(optionName: string, settings: readonly string[] = []): Partial<Profile> {
  if (settings.length === 0) return {};
  const openPoints = loadOpenPoints();
  const entries = settings.map((setting) => {
    const end = setting.indexOf('=');
    const flag = `--${optionName}`;
    if (end < 1) {
      throw new UsageError(
        `${flag} ${setting}: use <open point>=<choice>, such as ${flag} successStatus.createDrive=200.`,
      );
    }
    const id = setting.slice(0, end);
    const choice = parseChoice(openPoints, id, setting.slice(end + 1));
    const [violation] = validateChoice(openPoints, id, choice);
    if (violation !== undefined) throw new UsageError(`${flag} ${setting}: ${violation.message}.`);
    return [id, choice] as const;
  });
  return Object.fromEntries(entries);
}
