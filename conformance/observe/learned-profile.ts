import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type Choice, isLegalChoice, type OpenPoint } from '../../openapi/contract/open-points.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { yaml } from '../../openapi/contract/yaml.ts';
import type { Report } from '../report.ts';

/** What of a report a profile is made of. */
export type Learned = Pick<Report, 'observed' | 'samples'> & { run: Pick<Report['run'], 'baseUrl' | 'startedAt'> };

/** The observed choices that a mock can play. */
export function toObservedProfile({ observed, samples }: Pick<Report, 'observed' | 'samples'>): Partial<Profile> {
  const playable = loadOpenPoints().flatMap((point) => {
    const choice = observed[point.id];
    const isPlayable = !Object.hasOwn(samples, point.id) && isLegalChoice(point, choice);
    return isPlayable ? [[point.id, choice] as const] : [];
  });
  return Object.fromEntries(playable);
}

/** The profile as the text of a YAML file, with the meaning of each choice; what cannot be played is in comments. */
export function toProfileYaml(learned: Learned): string {
  const points = loadOpenPoints();
  const profile: Record<string, Choice> = { ...toObservedProfile(learned) };
  const entries = points.flatMap((point) => entryOf(point, profile[point.id], learned.samples[point.id]));
  const absent = points.filter(({ id }) => learned.observed[id] === undefined).map(({ id }) => id);
  const rest = absent.length === 0 ? [] : [`# Not seen; the mock plays its default: ${absent.join(', ')}.`];
  return [...head(learned.run), ...entries, ...rest].join('\n\n').concat('\n');
}

function head({ baseUrl, startedAt }: Learned['run']): string[] {
  return [
    `# What ${baseUrl} does where the specification is silent, as seen at ${startedAt}.\n` +
      '# agent-platform mock --profile <this file> plays it.',
  ];
}

function entryOf(point: OpenPoint, choice: Choice | undefined, sample: string | undefined): string[] {
  if (sample !== undefined)
    return [`# ${openIn(point)}\n# ${point.id}: none of the choices that a mock can play: ${sample}`];
  if (choice === undefined) return [];
  const means = point.choices.find(({ value }) => value === choice)?.means;
  const comment = means === undefined ? openIn(point) : `${openIn(point)} Here: ${means}.`;
  return [
    `# ${comment}\n${yaml()
      .stringify({ [point.id]: choice })
      .trimEnd()}`,
  ];
}

/** What is open, in its first sentence. */
function openIn({ open }: OpenPoint): string {
  return open
    .replace(/\.\s.*$/s, '.')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
