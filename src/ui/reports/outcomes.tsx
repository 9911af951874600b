import { Tag, type Tone } from '../shared/parts.tsx';

/** The outcomes in the order in which a person wants to read them, with their words. */
export const outcomes: Readonly<Record<string, { words: string; tone: Tone }>> = {
  failed: { words: 'failed', tone: 'bad' },
  warned: { words: 'warned', tone: 'warn' },
  inconclusive: { words: 'inconclusive', tone: 'warn' },
  'not-enabled': { words: 'not enabled', tone: 'none' },
  passed: { words: 'passed', tone: 'good' },
  skipped: { words: 'skipped', tone: 'none' },
};
export const names = Object.keys(outcomes);

/** An outcome in words and in its colour. */
export function Outcome({ outcome }: { outcome: string }) {
  const { words, tone } = outcomes[outcome] ?? { words: outcome, tone: 'none' };
  return <Tag tone={tone}>{words}</Tag>;
}
