import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { CheckDetail } from './check-detail.tsx';
import { compareConformance, compareVary, type Difference, relianceOf } from './compare.ts';
import { ConformanceVerdict, RunFacts } from './conformance-view.tsx';
import { type Finding, Findings, type Kinds } from './findings.tsx';
import type { ConformanceReport, VaryReport } from './formats.ts';
import type { Opened } from './opened.ts';
import { inWords } from './outcomes.ts';
import { DependencyCard, VaryFacts, VaryVerdict } from './vary-view.tsx';

/** Two reports of the same kind, and their differences. */
export function Comparison({ both: [before, after] }: { both: readonly [Opened, Opened] }) {
  if (before.kind === 'conformance' && after.kind === 'conformance')
    return <ComparedConformance before={before.report} after={after.report} />;
  if (before.kind === 'vary' && after.kind === 'vary')
    return <ComparedVary before={before.report} after={after.report} />;
  return null;
}

interface Compared<T> {
  before: T;
  after: T;
}

function ComparedConformance({ before, after }: Compared<ConformanceReport>) {
  const differences = useMemo(() => compareConformance(before, after), [before, after]);
  const checkIn = ({ checks }: ConformanceReport, id: string) => checks.find((check) => check.id === id);
  const detailOf = (id: string) => {
    const [was, is] = [checkIn(before, id), checkIn(after, id)];
    if (was === undefined && is === undefined) return undefined;
    return (
      <>
        {is === undefined ? <p>The second report does not have it.</p> : <CheckDetail check={is} label="After: " />}
        {was === undefined ? <p>The first report does not have it.</p> : <CheckDetail check={was} label="Before: " />}
      </>
    );
  };
  return (
    <>
      <Pair
        before={
          <>
            <ConformanceVerdict report={before} />
            <RunFacts report={before} />
          </>
        }
        after={
          <>
            <ConformanceVerdict report={after} />
            <RunFacts report={after} />
          </>
        }
      />
      <Warnings before={before} after={after} />
      <Differences differences={differences} kinds={checkKinds} detailOf={detailOf} />
    </>
  );
}

/** Why the two runs may not be compared line by line. */
function Warnings({ before, after }: Compared<ConformanceReport>) {
  const [one, other] = [before.digest?.contract, after.digest?.contract];
  const isOtherContract = one !== undefined && other !== undefined && one !== other;
  const isStopped = [before, after].some(({ run }) => run.suiteError !== undefined);
  return (
    <>
      {isOtherContract && <p class="notice">The runs used different contracts, requirements or open points.</p>}
      {isStopped && <p class="notice">A run ended early, so checks may be missing.</p>}
    </>
  );
}

function ComparedVary({ before, after }: Compared<VaryReport>) {
  const differences = useMemo(() => compareVary(before, after), [before, after]);
  const all = [...after.dependencies, ...before.dependencies];
  const detailOf = (id: string) => {
    const dependency = all.find((one) => relianceOf(one) === id);
    return dependency && <DependencyCard dependency={dependency} />;
  };
  return (
    <>
      <Pair
        before={
          <>
            <VaryVerdict report={before} />
            <VaryFacts report={before} />
          </>
        }
        after={
          <>
            <VaryVerdict report={after} />
            <VaryFacts report={after} />
          </>
        }
      />
      <Differences differences={differences} kinds={varyKinds} detailOf={detailOf} />
    </>
  );
}

function Pair({ before, after }: Compared<ComponentChildren>) {
  return (
    <div class="pair">
      <section aria-label="Before">
        <h3>Before</h3>
        {before}
      </section>
      <section aria-label="After">
        <h3>After</h3>
        {after}
      </section>
    </div>
  );
}

const [worse, better, choices] = [
  { kind: 'worse', words: 'worse', tone: 'bad' },
  { kind: 'better', words: 'better', tone: 'good' },
  { kind: 'choice', words: 'different choices', tone: 'warn' },
] as const satisfies Kinds;

const checkKinds: Kinds = [
  worse,
  better,
  { kind: 'unjudged', words: 'not judged now', tone: 'none' },
  { kind: 'new', words: 'new', tone: 'none' },
  { kind: 'gone', words: 'gone', tone: 'none' },
  choices,
];

const varyKinds: Kinds = [worse, better, { kind: 'choice', words: 'tried differently', tone: 'none' }];

interface DifferencesProps {
  differences: readonly Difference[];
  kinds: Kinds;
  detailOf(id: string): ComponentChildren;
}

function Differences({ differences, kinds, detailOf }: DifferencesProps) {
  const findings = useMemo(() => differences.map(toFinding), [differences]);
  if (findings.length === 0) return <p>The results do not differ.</p>;
  return <Findings what="differences" kinds={kinds} findings={findings} detailOf={detailOf} />;
}

function toFinding({ id, change, before, after }: Difference): Finding {
  return {
    id,
    kind: change,
    isLinked: change !== 'choice',
    text: `${inWords(before ?? 'not there')} → ${inWords(after ?? 'not there')}`,
  };
}
