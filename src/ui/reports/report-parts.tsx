import type { ComponentChildren } from 'preact';
import type { FindingWords } from '../../../lib/report-words.ts';
import { FindField, Narrow } from '../shared/form.tsx';
import { Tag, type Tone } from '../shared/parts.tsx';
import { place } from '../shared/url-state.ts';
import { duration, matches, moment, plural } from '../shared/words.ts';
import type { Check, ConformanceReport } from './formats.ts';

// What the views of both kinds of reports have in common: outcomes with their words, the bar, and what the bar selects.

/** The outcomes in the order in which a person wants to read them. */
export type Outcomes = Readonly<Record<string, { words: string; tone: Tone }>>;

export const outcomes: Outcomes = {
  failed: { words: 'failed', tone: 'bad' },
  warned: { words: 'warned', tone: 'warn' },
  inconclusive: { words: 'inconclusive', tone: 'warn' },
  'not-enabled': { words: 'not enabled', tone: 'none' },
  passed: { words: 'passed', tone: 'good' },
  skipped: { words: 'skipped', tone: 'none' },
};

export const rankOf = (of: Outcomes, outcome: string) => Object.keys(of).indexOf(outcome);

/** The checks in list order: by outcome; the findings as the suite orders them, the others by name. */
export function inOrder(checks: readonly Check[], findings: readonly string[] = []): Check[] {
  const place = new Map(findings.map((id, index) => [id, index]));
  const placeOf = ({ id }: Check) => place.get(id) ?? findings.length;
  return checks.toSorted(
    (one, other) =>
      rankOf(outcomes, one.outcome) - rankOf(outcomes, other.outcome) ||
      placeOf(one) - placeOf(other) ||
      (one.id < other.id ? -1 : 1),
  );
}

/** The findings with the same cause as one, without it. */
export function othersLike(id: string, findings: ReadonlyMap<string, FindingWords>): FindingWords[] {
  return [...findings.values()].filter(({ like }) => like === id);
}

export function Outcome({ outcome, of = outcomes }: { outcome: string; of?: Outcomes }) {
  const { words, tone } = of[outcome] ?? { words: outcome, tone: 'none' };
  return <Tag tone={tone}>{words}</Tag>;
}

type Items = readonly { outcome: string }[];

/** How many there are of each outcome: `3 warned`. */
export function countsOf(items: Items, of = outcomes): (readonly [outcome: string, words: string])[] {
  return Object.entries(of)
    .map(([name, { words }]) => [name, words, items.filter(({ outcome }) => outcome === name).length] as const)
    .filter(([, , count]) => count > 0)
    .map(([name, words, count]) => [name, `${count} ${words}`]);
}

interface BarProps {
  /** The file, and what can be done with it. */
  file: ComponentChildren;
  what: string;
  /** Without any, there is nothing to search. */
  items: Items;
  of?: Outcomes;
  /** More to narrow the list by. */
  children?: ComponentChildren;
}

/** Which file is shown, the search, and the outcomes to narrow the list to. */
export function ReportBar({ file, what, items, of = outcomes, children }: BarProps) {
  return (
    <div class="toolbar">
      {file}
      {items.length > 0 && (
        <>
          <FindField label="Search" placeholder={`Search ${what}`} />
          <Narrow name="outcome" label="Outcome" options={[['', `All ${items.length}`], ...countsOf(items, of)]} />
          {children}
        </>
      )}
    </div>
  );
}

export function selected<T extends { outcome: string }>(items: readonly T[], textOf: (item: T) => string): T[] {
  const { outcome = '', find = '' } = place.value.query;
  return items.filter((item) => (outcome === '' || item.outcome === outcome) && matches(textOf(item), find));
}

/** The result in one word, then what it rests on. */
export function Verdict({ word, tone, children }: { word: string; tone: Tone; children: ComponentChildren }) {
  return (
    <p class="verdict">
      <strong class={tone}>{word}</strong> {children}
    </p>
  );
}

const tones = { good: 'good', weak: 'warn', bad: 'bad', open: 'warn' } as const;
const toneOf = { conformant: 'good', 'non-conformant': 'bad', inconclusive: 'open' } as const;

/** The verdict, what it rests on, and the run. */
export function Head({ report: { verdict, checks, run, words } }: { report: ConformanceReport }) {
  const { baseUrl, targetName, startedAt, durationMs, requests, tool, contractVersion } = run;
  const { word, tone, rest } = words?.headline ?? { word: verdict, tone: toneOf[verdict], rest: '' };
  return (
    <div class="report-head">
      <Verdict word={word} tone={tones[tone]}>
        {rest}
      </Verdict>
      <p>
        {countsOf(checks)
          .map(([, counted]) => counted)
          .join(', ')}
      </p>
      <p class="muted">
        {targetName !== undefined && <b>{targetName}, </b>}
        <code>{baseUrl}</code>, {moment(startedAt)}, {plural(requests, 'request')} in {duration(durationMs)}, {tool},
        contract {contractVersion}
      </p>
      {run.suiteError !== undefined && (
        <p class="notice error">The run ended early, so this report is incomplete: {run.suiteError}</p>
      )}
    </div>
  );
}
