import { excerpt, own, say } from '../../lib/sentence.ts';
import type { DataViolation } from '../../openapi/contract/data-file.ts';
import { byCase, parseChoice, validateChoices } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import { notSeen } from '../observe/not-seen.ts';
import { SuiteError } from '../suite-error.ts';
import { loadValid } from './data-files.ts';

const profileSchema = new URL('../../openapi/profile.schema.json', import.meta.url);
const longestShown = 200;

/** Why choices cannot be required: they are not legal, or cannot be seen from outside. */
export function choiceViolations(required: Readonly<Record<string, unknown>>): DataViolation[] {
  const illegal = validateChoices(loadOpenPoints(), required).map(({ openPoint, message }) => {
    return { location: ['require', openPoint], message: `is invalid: ${message}` };
  });
  const unseen = Object.keys(required).flatMap((id) => {
    const reason = Object.hasOwn(notSeen, id) ? notSeen[id as keyof typeof notSeen] : undefined;
    return reason === undefined
      ? []
      : [{ location: ['require', id], message: `cannot be seen from outside. ${reason}` }];
  });
  return [...illegal, ...unseen];
}

/** The choices of `--require`: each value is `<open point>=<choice>`, or a profile file. Throws a {@link SuiteError}. */
export function parseRequired(values: readonly string[]): Record<string, Choice> {
  return Object.fromEntries(values.flatMap((value) => (isAssignment(value) ? parsed(value) : fromProfile(value))));
}

const isAssignment = (value: string) => /^[\w.-]*=/.test(value);

function parsed(text: string): [string, Choice][] {
  const end = text.indexOf('=');
  const id = text.slice(0, end);
  const points = loadOpenPoints();
  const choices = byCase(points, { [id]: parseChoice(points, id, text.slice(end + 1)) }) as Record<string, Choice>;
  const [violation] = choiceViolations(choices);
  if (violation === undefined) return Object.entries(choices);
  const message = String(violation.message).replace(/^is invalid: /, '');
  throw new SuiteError('OPTION_INVALID', say`--require ${excerpt(text, longestShown)}: ${own(message)}`);
}

// A choice that cannot be seen from outside is not an error in a profile: the mock uses it.
function fromProfile(file: string): [string, Choice][] {
  const points = loadOpenPoints();
  const profile = loadValid(file, profileSchema, 'CONFIG_INVALID', (value) =>
    validateChoices(points, byCase(points, value)).map(({ openPoint, message }) => ({
      location: [openPoint],
      message,
    })),
  );
  return Object.entries(byCase(points, profile) as Record<string, Choice>).filter(
    ([id]) => !Object.hasOwn(notSeen, id),
  );
}
