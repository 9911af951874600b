import { duration, moment, plural } from '../shared/words.ts';
import type { ConformanceReport } from './formats.ts';
import { countsOf, Verdict } from './report-parts.tsx';

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
