// Whether required choices are legal is checked in `config/choices.ts`.
import type { Choice } from '../openapi/points/open-point.ts';
import type { Settings } from './config/settings.ts';
import type { Observed } from './observe/observe.ts';
import { observers } from './observe/table.ts';
import type { Report, RequiredChoice } from './report.ts';

/** The results of the required choices; empty if none are required. */
export function judgeChoices(
  settings: Settings,
  { observed }: Pick<Observed, 'observed'>,
): Pick<Report, 'requiredChoices'> {
  const requiredChoices = Object.entries(settings.require).map(([openPoint, choice]): RequiredChoice => {
    const required = meant(openPoint, choice, { ...observed, ...settings.require });
    const seen = Object.hasOwn(observed, openPoint) ? observed[openPoint] : undefined;
    if (seen !== undefined) return { openPoint, required, seen };
    const setting = settingFor(openPoint, settings);
    return { openPoint, required, ...(setting === undefined ? {} : { reason: `It needs ${setting}.` }) };
  });
  return requiredChoices.length === 0 ? {} : { requiredChoices };
}

// A choice that names another case of its open point stands for the choice there.
function meant(openPoint: string, choice: Choice, choices: Readonly<Record<string, Choice>>): Choice {
  const other = openPoint.replace(/\..*/, `.${choice}`);
  if (other === openPoint || !Object.hasOwn(choices, other)) return choice;
  return meant(other, choices[other] as Choice, choices);
}

const writing: readonly string[] = ['create', 'publish', 'move', 'delete'];

/** The missing permission without which an open point is hardly ever seen. */
function settingFor(openPoint: string, settings: Settings): string | undefined {
  const { allowWrites, allowDestructive, treePathParameter } = settings;
  const phase = observers.find((observer) => observer.openPoint === openPoint)?.phase ?? 'read';
  if (writing.includes(phase) && !allowWrites) return '--allow-writes';
  if (phase !== 'delete') return undefined;
  if (!allowDestructive) return '--allow-destructive';
  return treePathParameter === undefined ? 'openPoints.treePathParameter' : undefined;
}

/** Whether the target made the required choice. */
export function isMet({ required, seen }: RequiredChoice): boolean {
  return seen === required;
}

/** The required choices that were not seen. */
export function unmetChoices({ requiredChoices = [] }: Pick<Report, 'requiredChoices'>): RequiredChoice[] {
  return requiredChoices.filter((choice) => !isMet(choice));
}
