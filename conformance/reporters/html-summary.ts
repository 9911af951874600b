import { type Fragment, type Markup, markup } from '../../lib/markup.ts';
import { loadCoverage, loadRequirements } from '../../openapi/contract/load.ts';
import type { CheckResult, Outcome, Report } from '../report.ts';
import { section, table } from './html-parts.ts';
import { inWords, readingOrder } from './words.ts';

interface Row {
  title: Fragment;
  checks: readonly CheckResult[];
}

/** The results by operation, and by section of the specification. */
export function summary({ checks }: Report): Fragment {
  if (checks.length === 0) return undefined;
  const used = readingOrder.filter((outcome) => checks.some((check) => check.outcome === outcome));
  const byOperation = [...Map.groupBy(checks, ({ operation }) => operation)];
  const operations = byOperation.map(([operation, ofIt]) => ({
    title: markup`<code>${operation}</code>`,
    checks: ofIt,
  }));
  return section('summary', 'Summary', undefined, [
    markup`<div class="tables">
${counts('Checks by operation', 'Operation', operations, used)}
${counts('Checks by section of the specification', 'Section', sections(checks), used)}
</div>`,
  ]);
}

function counts(caption: string, first: string, rows: readonly Row[], used: readonly Outcome[]): Markup {
  const row = ({ title, checks }: Row) => markup`<tr>
<th scope="row">${title}</th>${used.map((outcome) => cell(outcome, checks))}
</tr>
`;
  // After a run of a few selected checks, rows without any of them would hide the others.
  const ran = rows.filter(({ checks }) => checks.some(({ outcome }) => outcome !== 'skipped'));
  return table(caption, [first, ...used.map(inWords)], (ran.length > 0 ? ran : rows).map(row));
}

function cell(outcome: Outcome, checks: readonly CheckResult[]): Markup {
  const count = checks.filter((check) => check.outcome === outcome).length;
  return markup`<td class="${count === 0 ? 'none' : outcome}">${count}</td>`;
}

/** The checks of each section by the requirements that they judge; one check may belong to several. */
function sections(checks: readonly CheckResult[]): Row[] {
  const sources = new Map(loadRequirements().map((requirement) => [requirement.id, requirement.sources]));
  const sectionOf = (source: string) => source.split(/[./]/)[0];
  const rows = loadCoverage().filter(({ section: number }) => !number.includes('.'));
  return rows.flatMap(({ section: number, title }) => {
    const ofIt = checks.filter(({ requirements }) =>
      requirements.some((id) => sources.get(id)?.some((source) => sectionOf(source) === number)),
    );
    return ofIt.length === 0 ? [] : [{ title: markup`<span class="number">${number}</span> ${title}`, checks: ofIt }];
  });
}
