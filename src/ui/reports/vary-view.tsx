import type { ComponentChildren } from 'preact';
import { Command, Facts, Folded, Pre, type Tone } from '../shared/parts.tsx';
import { duration, moment, plural } from '../shared/words.ts';
import type { Dependency, VaryReport } from './formats.ts';
import { Outcome, type Outcomes, ReportBar, rankOf, selected, Verdict } from './report-parts.tsx';

const outcomes: Outcomes = {
  reliedOn: { words: 'relied on', tone: 'bad' },
  notVaried: { words: 'not varied', tone: 'none' },
  free: { words: 'free', tone: 'good' },
  notMet: { words: 'not exercised', tone: 'none' },
};

/** A vary report: what the tests rely on, profiles with which they fail, and what is known about each open point. */
export function VaryView({ report, bar }: { report: VaryReport; bar: ComponentChildren }) {
  return (
    <>
      <ReportBar file={bar} what="open points" items={report.openPoints} of={outcomes} />
      <div class="list">
        <div class="report-head">
          <Head report={report} />
          <Coverage report={report} />
          <Base report={report} />
          {report.dependencies.map((one) => (
            <DependencyCard key={relianceOf(one)} dependency={one} />
          ))}
          <StillRed report={report} />
          <Flaky report={report} />
          <Folded
            title={`${plural(report.variants.length, 'profile')} tried besides the base`}
            lines={report.variants.map(
              ({ name, outcome, choices }) => `${name}: ${outcomeWords[outcome] ?? outcome} ${choicesOf(choices)}`,
            )}
          />
        </div>
        <OpenPoints report={report} />
      </div>
    </>
  );
}

function OpenPoints({ report: { openPoints } }: { report: VaryReport }) {
  const shown = selected(openPoints, ({ id }) => id).sort(
    (one, other) => rankOf(outcomes, one.outcome) - rankOf(outcomes, other.outcome),
  );
  return (
    <ul>
      {shown.map(({ id, outcome, greenWith, notVariedBecause }) => (
        <li key={id} class="item">
          <code>{id}</code> <Outcome outcome={outcome} of={outcomes} />{' '}
          <span class="muted">
            {notVariedBecause === undefined
              ? greenWith.length > 0 && `passed with ${greenWith.join(', ')}`
              : `because ${notVariedBecause}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The name of what tests rely on: `successStatus.createDrive = 201 with errorBody = problem`. */
function relianceOf({ openPoints }: Dependency): string {
  return openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`).join(' with ');
}

const endings: Readonly<Record<string, string>> = {
  maxRuns: 'The search did not finish: it reached --max-runs.',
  stopped: 'The search did not finish: it was stopped.',
};

function Head({ report }: { report: VaryReport }) {
  const { command, startedAt, durationMs, tool, settings } = report;
  return (
    <>
      <Verdict {...verdictOf(report)}>
        {plural(report.runs, 'run')} of the tests, {plural(report.variants.length, 'profile')}.{' '}
        {endings[report.endedBy]}
      </Verdict>
      <p class="muted">
        <code>{command.join(' ')}</code>, {moment(startedAt)}, {duration(durationMs)},{' '}
        {settings.impact === 'hidden' ? 'only hidden' : 'all'} open points, random seed {settings.randomSeed}, {tool}
      </p>
    </>
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
  const choices = choicesOf(base.choices);
  return (
    <>
      <Folded
        title={`The base profile differs from the default in ${plural(Object.keys(base.choices).length, 'choice')}`}
        lines={choices === '' ? [] : [choices]}
      />
      {base.outcome === 'red' && (
        <Cause
          title={`The tests fail before anything varies, in ${base.red} of ${plural(base.runs, 'run')}`}
          output={base.output}
        >
          {base.requests === 0 && <p>They sent no request to the mock.</p>}
        </Cause>
      )}
    </>
  );
}

/** What the tests rely on, with the choices that made them fail and the commands to reproduce it. */
function DependencyCard({ dependency }: { dependency: Dependency }) {
  const { openPoints, redRuns, again, mock, ending, output } = dependency;
  const failing = openPoints.map(({ openPoint, redWith }) => `${openPoint} = ${redWith}`).join(' and ');
  const isSingle = openPoints.length === 1;
  return (
    <Cause
      title={
        <>
          Your tests rely on <code>{relianceOf(dependency)}</code>; the contract does not promise it
        </>
      }
      {...{ ending, output }}
    >
      <Facts
        of={{
          'Fail with': (
            <>
              <code>{failing}</code> {isSingle ? 'alone' : 'together'}, in {redRuns} of {plural(redRuns, 'run')}
            </>
          ),
          ...Object.assign(
            {},
            ...openPoints.map(({ openPoint, open, legal, question }) => {
              const of = isSingle ? '' : ` (${openPoint})`;
              return { [`Open${of}`]: open, [`Legal${of}`]: legal, [`Ask${of}`]: question };
            }),
          ),
          Again: <Command text={again} />,
          'By hand': <Command text={mock} />,
        }}
      />
    </Cause>
  );
}

interface CauseProps {
  title: ComponentChildren;
  children: ComponentChildren;
  /** How a failing run ended, and what it printed. */
  ending?: string;
  output?: string;
}

function Cause({ title, children, ending, output }: CauseProps) {
  return (
    <section class="cause">
      <h3>{title}</h3>
      {children}
      {output !== undefined && (
        <details>
          <summary>Output of the tests{ending !== undefined && ` (${ending})`}</summary>
          {output === '' ? <p class="muted">They printed nothing.</p> : <Pre text={output} />}
        </details>
      )}
    </section>
  );
}

function StillRed({ report }: { report: VaryReport }) {
  return (
    <>
      {report.variants.filter(isRed).map(({ name, remaining, red, runs, outcome, again = '' }) => (
        <Cause key={name} title={`Your tests fail with ${name}, in ${red} of ${plural(runs, 'run')}`}>
          <p>{outcome === 'red' ? 'No smaller set of its choices fails every time.' : 'The search ended earlier.'}</p>
          <Facts of={{ Choices: <code>{choicesOf(remaining)}</code>, Again: again && <Command text={again} /> }} />
        </Cause>
      ))}
    </>
  );
}

function Flaky({ report: { flakiness } }: { report: VaryReport }) {
  if (flakiness === undefined) return null;
  const { red, runs, variants, ending, output } = flakiness;
  return (
    <Cause
      title={`Your tests are flaky: ${red} of ${plural(runs, 'run')} failed with profiles that can pass`}
      {...{ ending, output }}
    >
      {variants.map((variant) => (
        <p key={variant.purpose}>
          {variant.purpose}: {variant.red} of {plural(variant.runs, 'run')}
        </p>
      ))}
    </Cause>
  );
}

const outcomeWords: Readonly<Record<string, string>> = {
  green: 'passes without what the tests rely on',
  flaky: 'sometimes passes, sometimes fails',
  red: 'still fails',
  unfinished: 'not finished',
};

const choicesOf = (choices: Readonly<Record<string, string | number>>) =>
  Object.entries(choices)
    .map(([id, choice]) => `${id}=${choice}`)
    .join(' ');
