import { useMemo } from 'preact/hooks';
import { relianceOf } from './compare.ts';
import { Command, duration, Facts, moment, plural, Verdict } from './facts.tsx';
import { type Finding, Findings, type Kinds, type Tone } from './findings.tsx';
import type { Dependency, VaryReport } from './formats.ts';

/** A vary report: what the tests rely on, profiles with which they fail, and what is known about each open point. */
export function VaryView({ report }: { report: VaryReport }) {
  const findings = useMemo(() => toFindings(report), [report]);
  return (
    <>
      <div class="report-head">
        <VaryVerdict report={report} />
        <VaryFacts report={report} />
        <Coverage report={report} />
      </div>
      <Base report={report} />
      {report.dependencies.map((one) => (
        <DependencyCard key={relianceOf(one)} dependency={one} />
      ))}
      <StillRed report={report} />
      <Flaky report={report} />
      <Profiles report={report} />
      <Findings what="open points" kinds={pointKinds} findings={findings} />
    </>
  );
}

const endings: Readonly<Record<string, string>> = {
  maxRuns: 'The search did not finish: it reached --max-runs.',
  stopped: 'The search did not finish: it was stopped.',
};

export function VaryVerdict({ report }: { report: VaryReport }) {
  const { word, tone } = verdictOf(report);
  return (
    <Verdict word={word} tone={tone}>
      {plural(report.runs, 'run')} of the tests, {plural(report.variants.length, 'profile')}. {endings[report.endedBy]}
    </Verdict>
  );
}

function verdictOf({ base, dependencies, flakiness, endedBy, variants }: VaryReport): { word: string; tone: Tone } {
  const unknown = variants.filter(isRed).length;
  if (base.outcome === 'red') return { word: 'the tests fail with the base profile', tone: 'bad' };
  if (dependencies.length + unknown > 0) {
    const causes = plural(dependencies.length, 'dependency', 'dependencies');
    return { word: unknown === 0 ? causes : `${causes}, ${plural(unknown, 'unknown cause')}`, tone: 'bad' };
  }
  if (flakiness !== undefined) return { word: 'flaky tests', tone: 'warn' };
  return endedBy === 'end' ? { word: 'no dependency', tone: 'good' } : { word: 'none found so far', tone: 'warn' };
}

/** Whether the tests never passed with what is left of a profile. */
function isRed({ outcome, runs, red }: VaryReport['variants'][number]): boolean {
  return outcome === 'red' || (outcome === 'unfinished' && red > 0 && red === runs);
}

export function VaryFacts({ report }: { report: VaryReport }) {
  const { command, startedAt, durationMs, tool, settings } = report;
  return (
    <p class="muted">
      <code>{command.join(' ')}</code>, {moment(startedAt)}, {duration(durationMs)},{' '}
      {settings.impact === 'hidden' ? 'only hidden' : 'all'} open points, random seed {settings.randomSeed}, {tool}
    </p>
  );
}

function Coverage({ report: { coverage } }: { report: VaryReport }) {
  const { choices, pairs } = coverage;
  if (choices.all === 0) return null;
  return (
    <p>
      Passed at the open points that the tests do not rely on: {choices.tried} of {plural(choices.all, 'choice')},{' '}
      {pairs.tried} of {plural(pairs.all, 'pair')} of choices.
    </p>
  );
}

function Base({ report: { base } }: { report: VaryReport }) {
  const choices = Object.entries(base.choices).map(([id, choice]) => `${id}=${choice}`);
  return (
    <>
      {choices.length > 0 && (
        <details>
          <summary>The base profile differs from the default in {plural(choices.length, 'choice')}</summary>
          <p>
            <code>{choices.join(' ')}</code>
          </p>
        </details>
      )}
      {base.outcome === 'red' && (
        <section class="cause">
          <h3>
            The tests fail before anything varies, in {base.red} of {plural(base.runs, 'run')}
          </h3>
          {base.requests === 0 && <p>They sent no request to the mock.</p>}
          <Output output={base.output} />
        </section>
      )}
    </>
  );
}

/** What the tests rely on, with the choices that made them fail and the commands to reproduce it. */
export function DependencyCard({ dependency }: { dependency: Dependency }) {
  const { openPoints, redRuns, again, mock, ending, output } = dependency;
  const failing = openPoints.map(({ openPoint, redWith }) => `${openPoint} = ${redWith}`).join(' and ');
  const isSingle = openPoints.length === 1;
  return (
    <section class="cause">
      <h3>
        Your tests rely on <code>{relianceOf(dependency)}</code>; the contract does not promise it
      </h3>
      <Facts
        facts={[
          [
            'Fail with',
            <>
              <code>{failing}</code> {isSingle ? 'alone' : 'together'}, in {redRuns} of {plural(redRuns, 'run')}
            </>,
          ],
          ...openPoints.flatMap(({ openPoint, open, legal, question }) => {
            const of = isSingle ? '' : ` (${openPoint})`;
            return [
              [`Open${of}`, open],
              [`Legal${of}`, legal],
              [`Ask${of}`, question],
            ] as const;
          }),
          ['Again', <Command key="again" text={again} />],
          ['By hand', <Command key="mock" text={mock} />],
        ]}
      />
      <Output ending={ending} output={output} />
    </section>
  );
}

function Output({ ending, output }: { ending?: string; output: string }) {
  return (
    <details>
      <summary>Output of the tests{ending !== undefined && ` (${ending})`}</summary>
      {output === '' ? (
        <p class="muted">They printed nothing.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre class="curl" tabIndex={0}>
          {output}
        </pre>
      )}
    </details>
  );
}

function StillRed({ report }: { report: VaryReport }) {
  return (
    <>
      {report.variants.filter(isRed).map(({ name, remaining, red, runs, outcome, again = '' }) => (
        <section key={name} class="cause">
          <h3>
            Your tests fail with {name}, in {red} of {plural(runs, 'run')}
          </h3>
          <p>{outcome === 'red' ? 'No smaller set of its choices fails every time.' : 'The search ended earlier.'}</p>
          <Facts
            facts={[
              ['Choices', <Choices key="choices" choices={remaining} />],
              ['Again', again && <Command text={again} />],
            ]}
          />
        </section>
      ))}
    </>
  );
}

function Flaky({ report: { flakiness } }: { report: VaryReport }) {
  if (flakiness === undefined) return null;
  const { red, runs, variants, ending, output } = flakiness;
  return (
    <section class="cause flaky">
      <h3>
        Your tests are flaky: {red} of {plural(runs, 'run')} failed with profiles that can pass
      </h3>
      <ul class="points">
        {variants.map((variant) => (
          <li key={variant.purpose}>
            {variant.purpose}: {variant.red} of {plural(variant.runs, 'run')}
          </li>
        ))}
      </ul>
      <Output ending={ending} output={output} />
    </section>
  );
}

/** Every profile that was tried, with its choices. */
function Profiles({ report: { variants } }: { report: VaryReport }) {
  if (variants.length === 0) return null;
  return (
    <details>
      <summary>{plural(variants.length, 'profile')} tried besides the base</summary>
      <ul class="points">
        {variants.map(({ name, outcome, choices }) => (
          <li key={name}>
            {name}: {outcomeWords[outcome] ?? outcome} <Choices choices={choices} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const outcomeWords: Readonly<Record<string, string>> = {
  green: 'passes without what the tests rely on',
  flaky: 'passes and fails alternately',
  red: 'still fails',
  unfinished: 'not finished',
};

function Choices({ choices }: { choices: Readonly<Record<string, string | number>> }) {
  const all = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  return <code>{all.join(' ')}</code>;
}

const pointKinds = [
  { kind: 'reliedOn', words: 'relied on', tone: 'bad' },
  { kind: 'notVaried', words: 'not varied', tone: 'none' },
  { kind: 'free', words: 'free', tone: 'good' },
  { kind: 'notMet', words: 'not met', tone: 'none' },
] as const satisfies Kinds;

function toFindings({ openPoints }: VaryReport): Finding[] {
  return openPoints.map(({ id, outcome, greenWith, notVariedBecause }) => ({
    ...{ id, kind: outcome },
    text: notVariedBecause === undefined ? passedWith(greenWith) : `because ${notVariedBecause}`,
  }));
}

function passedWith(choices: readonly unknown[]): string {
  return choices.length === 0 ? '' : `passed with ${choices.join(', ')}`;
}
