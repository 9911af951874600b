import type { Leftover, Report } from '../report.ts';
import { type ObservedChoice, observedChoices, unobserved } from './choices.ts';
import { section, table, term } from './html-parts.ts';
import { type Fragment, type Markup, markup } from './markup.ts';
import { duration, plural } from './text.ts';
import { expected, leftoverKind, type UnverifiedGroup, unverifiedGroups } from './words.ts';

/** What could not be judged, by what would let it be. */
export function unverified(report: Report): Fragment {
  const groups = unverifiedGroups(report);
  if (groups.length === 0) return undefined;
  return section('unverified', 'Unverified', report.summary.unverified, [
    markup`<p>These checks could not be judged, so they say nothing for the target or against it.</p>
`,
    groups.map(unverifiedGroup),
  ]);
}

function unverifiedGroup({ lead, setting, checks }: UnverifiedGroup): Markup {
  const reasons = setting === undefined ? [] : [...new Set(checks.map(({ reason }) => reason))];
  return markup`<details open>
<summary>${lead}${setting !== undefined && markup` <code>${setting}</code>`}</summary>
${reasons.map((reason) => markup`<p>${reason}</p>`)}
<ul class="names">${checks.map(({ id }) => markup`<li><code>${id}</code></li>`)}</ul>
</details>
`;
}

/** What the list of expected failures came to. */
export function expectedFailures(report: Report): Fragment {
  const { stale, notJudged } = report.expectedFailures;
  const failed = expected(report);
  const count = failed.length + stale.length + notJudged.length;
  if (count === 0) return undefined;
  const item = (id: string, text: string) => markup`<li><code>${id}</code> ${text}</li>
`;
  return section(
    'expected',
    'Expected failures',
    count,
    markup`<ul>
${failed.map((check) => item(check.id, `${check.outcome} as expected: ${check.expectedFailure}`))}${stale.map((id) =>
  item(id, 'did not fail: take it off the list'),
)}${notJudged.map((id) => item(id, 'was not judged'))}</ul>`,
  );
}

/** What the target does where the specification leaves it open. */
export function choices(report: Report): Fragment {
  const observed = observedChoices(report);
  if (observed.length === 0) return undefined;
  const unseen = unobserved(report);
  return section('choices', 'Observed choices', observed.length, [
    markup`<p>Where the specification is silent, any legal choice conforms. A client that relies on one of these relies on this server.</p>
`,
    table('What this server does at each open point', ['Open point', 'This server'], observed.map(choiceRow)),
    unseen.length > 0 &&
      markup`<details>
<summary>${plural(unseen.length, 'open point')} of which this run saw nothing</summary>
<ul class="names">${unseen.map((id) => markup`<li><code>${id}</code></li>`)}</ul>
</details>`,
  ]);
}

function choiceRow({ openPoint, open, choice, means, isLoud, sample }: ObservedChoice): Markup {
  return markup`<tr>
<th scope="row"><code>${openPoint}</code>
<p>${open}${!isLoud && ' A correct client never notices.'}</p></th>
<td><code>${choice}</code>
<p>${means}</p>${
    sample !== undefined &&
    markup`<pre>
${sample}</pre>`
  }</td>
</tr>
`;
}

/** What the run made or moved and could not take back. */
export function leftovers({ leftovers: left }: Report): Fragment {
  if (left.length === 0) return undefined;
  return section('leftovers', 'Left behind on the target', left.length, [
    table('What the run could not take back', ['What', 'What became of it'], left.map(leftoverRow)),
  ]);
}

function leftoverRow({ kind, id, name, driveId, note }: Leftover): Markup {
  return markup`<tr>
<th scope="row">${leftoverKind(kind)}${name !== undefined && markup` <q>${name}</q>`}
<p><code>${id}</code></p>${driveId !== undefined && markup`<p>in drive <code>${driveId}</code></p>`}</th>
<td>${note}</td>
</tr>
`;
}

/** The circumstances of the run. */
export function runFacts({ run }: Report): Markup {
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
  };
  return section(
    'run',
    'The run',
    undefined,
    markup`<dl>
${Object.entries(facts).map(([name, fact]) => term(name, fact))}</dl>`,
  );
}
