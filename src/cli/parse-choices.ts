import { byCase, type Profile, parseChoice, validateChoices } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
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
    const choice = byCase(openPoints, { [id]: parseChoice(openPoints, id, setting.slice(end + 1)) });
    const [violation] = validateChoices(openPoints, choice);
    if (violation !== undefined) throw new UsageError(`${flag} ${setting}: ${violation.message}.`);
    return choice;
  });
  return Object.assign({}, ...entries);
}
