import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { isLegalChoice } from '../../openapi/points/open-point.ts';
import { choiceEntry, openIn, profileText } from '../../openapi/reading/learned-profile.ts';
import type { Report } from '../report.ts';

/** The parts of a report from which a profile is made. */
type Learned = Pick<Report, 'observed' | 'samples'> & { run: Pick<Report['run'], 'baseUrl' | 'startedAt'> };

/** The observed choices that a mock can use. */
export function toObservedProfile({ observed, samples }: Pick<Report, 'observed' | 'samples'>): Partial<Profile> {
  const usable = loadOpenPoints().flatMap((point) => {
    const choice = observed[point.id];
    const isUsable = !Object.hasOwn(samples, point.id) && isLegalChoice(point, choice);
    return isUsable ? [[point.id, choice] as const] : [];
  });
  return Object.fromEntries(usable);
}

/** The profile as the text of a YAML file, with the meaning of each choice; unusable choices are in comments. */
export function toProfileYaml({ observed, samples, run }: Learned): string {
  const points = loadOpenPoints();
  const profile = new Map(Object.entries(toObservedProfile({ observed, samples })));
  const entries = points.flatMap((point) => {
    const { id } = point;
    const choice = profile.get(id);
    if (choice !== undefined) return [choiceEntry(point, choice)];
    const sample = samples[id];
    return sample === undefined
      ? []
      : [`# ${openIn(point)}\n# ${id}: none of the choices that a mock can use: ${sample}`];
  });
  const absent = points.filter(({ id }) => observed[id] === undefined).map(({ id }) => id);
  const rest = absent.length === 0 ? [] : [`# Not seen; the mock uses its default: ${absent.join(', ')}.`];
  const title = `What ${run.baseUrl} does where the specification is silent, as seen at ${run.startedAt}.`;
  return profileText(title, [...entries, ...rest]);
}
