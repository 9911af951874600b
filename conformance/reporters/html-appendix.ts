import { type Fragment, type Markup, markup } from '../../lib/markup.ts';
import { duration, plural } from '../../lib/text.ts';
import type { Leftover, Report } from '../report.ts';
import { type ObservedChoice, observedChoices, unobserved } from './choices.ts';
import { wholeCommand } from './failure-text.ts';
import { badge, bounded, folded, section, table, term } from './html-parts.ts';
import { leftoverKind } from './left-behind.ts';
import {
  crashLines,
  expectedFailureLines,
  requiredChoiceLines,
  serverErrorLines,
  type UnjudgedGroup,
  unjudgedGroups,
} from './words.ts';

/** The checks that were enabled and could not be judged, by what prevented them. */
export function inconclusive(report: Report): Fragment {
  return unjudged(report, 'inconclusive', 'Inconclusive', 'These checks were enabled but could not be judged.');
}

/** The checks that were not enabled, by the setting that they need. */
export function notEnabled(report: Report): Fragment {
  const why = 'These checks need a setting or data that was not given. They say nothing about the target.';
  return unjudged(report, 'not-enabled', 'Not enabled', why);
}

function unjudged(report: Report, outcome: 'inconclusive' | 'not-enabled', title: string, why: string): Fragment {
  const groups = unjudgedGroups(report, outcome);
  if (groups.length === 0) return undefined;
  return folded(outcome, title, report.summary[outcome], [
    markup`<p>${why}</p>
`,
    groups.map(unjudgedGroup),
  ]);
}

function unjudgedGroup({ lead, setting, checks }: UnjudgedGroup): Markup {
  const reasons = setting === undefined ? [] : [...new Set(checks.map(({ reason }) => reason))];
  return markup`<details>
<summary>${bounded(lead)}${setting !== undefined && markup` <code>${setting}</code>`}</summary>
${reasons.map((reason) => markup`<p>${bounded(reason)}</p>`)}
<ul class="names">${checks.map(({ id }) => markup`<li><code>${id}</code></li>`)}</ul>
</details>
`;
}

/** The results of the required choices. */
export function requiredChoices(report: Report): Fragment {
  const lines = requiredChoiceLines(report);
  if (lines.length === 0) return undefined;
  const items = lines.map(
    ({ choice, text, isMet }) => markup`<li>${badge(isMet ? 'passed' : 'failed')} <code>${choice}</code> ${text}</li>
`,
  );
  return section(
    'required',
    'Required choices',
    lines.length,
    markup`<ul>
${items}</ul>
`,
  );
}

/** The results of the expected failures. */
export function expectedFailures(report: Report): Fragment {
  const lines = expectedFailureLines(report);
  if (lines.length === 0) return undefined;
  const items = lines.map(
    ({ id, text }) => markup`<li><code>${id}</code> ${text}</li>
`,
  );
  return folded(
    'expected',
    'Expected failures',
    lines.length,
    markup`<ul>
${items}</ul>`,
  );
}

/** The requests during which the target crashed, and the responses in which it reported a failure. */
export function troubles(report: Report): Fragment {
  const crashes = crashLines(report).map((text) => ({ text, curl: undefined }));
  const all = [...crashes, ...serverErrorLines(report)];
  if (all.length === 0) return undefined;
  const items = all.map(
    ({ text, curl }) => markup`<li>${text}${
      curl !== undefined &&
      markup`<pre>
${wholeCommand(curl)}</pre>`
    }</li>
`,
  );
  return folded(
    'server-errors',
    'Crashes and server errors',
    all.length,
    markup`<ul>
${items}</ul>`,
  );
}

/** The choices of the target at open points. */
export function choices(report: Report): Fragment {
  const observed = observedChoices(report);
  if (observed.length === 0) return undefined;
  const unseen = unobserved(report);
  return folded('choices', 'Observed choices', observed.length, [
    markup`<p>Where the specification is silent, every legal choice conforms. A client that relies on one of these choices may not work with a server that chooses differently.</p>
`,
    table('The choices of this server at open points', ['Open point', 'This server'], observed.map(choiceRow)),
    unseen.length > 0 &&
      markup`<details>
<summary>${plural(unseen.length, 'open point')} not observed in this run</summary>
<ul class="names">${unseen.map((id) => markup`<li><code>${id}</code></li>`)}</ul>
</details>`,
  ]);
}

function choiceRow({ openPoint, open, choice, means, isVisible, sample }: ObservedChoice): Markup {
  return markup`<tr>
<th scope="row"><code>${openPoint}</code>
<p>${open}${!isVisible && ' A correct client does not notice.'}</p></th>
<td><code>${choice}</code>
<p>${means}</p>${
    sample !== undefined &&
    markup`<pre>
${bounded(sample)}</pre>`
  }</td>
</tr>
`;
}

/** What the run created or moved but could not undo. */
export function leftovers({ leftovers: left }: Report): Fragment {
  if (left.length === 0) return undefined;
  return folded('leftovers', 'Left behind on the target', left.length, [
    table('What the run could not undo', ['Resource', 'Why it is left'], left.map(leftoverRow)),
  ]);
}

function leftoverRow({ kind, id, name, driveId, note }: Leftover): Markup {
  return markup`<tr>
<th scope="row">${leftoverKind(kind)}${name !== undefined && markup` <q>${bounded(name)}</q>`}
<p><code>${bounded(id)}</code></p>${driveId !== undefined && markup`<p>in drive <code>${bounded(driveId)}</code></p>`}</th>
<td>${bounded(note)}</td>
</tr>
`;
}

/** The circumstances of the run. */
export function runFacts({ run, digest }: Report): Markup {
  const facts = {
    'Base URL': markup`<code>${run.baseUrl}</code>`,
    Started: run.startedAt,
    Took: duration(run.durationMs),
    Requests: run.requests,
    'Random seed': markup`<code>${run.randomSeed}</code>`,
    'Run id': markup`<code>${run.id}</code>`,
    Writes: run.allowWrites ? 'allowed' : 'not allowed',
    Deletions: run.allowDestructive ? 'allowed' : 'not allowed',
    Tool: run.tool,
    Contract: run.contractVersion,
    ...(digest === undefined
      ? {}
      : {
          'Contract digest': markup`<code>${digest.contract}</code>`,
          'Results digest': markup`<code>${digest.results}</code>`,
        }),
  };
  return folded(
    'run',
    'The run',
    undefined,
    markup`<dl>
${Object.entries(facts).map(([name, fact]) => term(name, fact))}</dl>`,
  );
}
