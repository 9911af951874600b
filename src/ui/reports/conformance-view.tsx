import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { FindingWords } from '../../../lib/report-words.ts';
import { Detail } from '../shared/detail.tsx';
import { Narrow } from '../shared/form.tsx';
import { isNarrow } from '../shared/narrow.ts';
import { type Column, orderOf, type Row, Table } from '../shared/table.tsx';
import { linkTo, place, replacePlace } from '../shared/url-state.ts';
import { CheckFacts, type Try } from './check-detail.tsx';
import type { Check, ConformanceReport } from './formats.ts';
import { printWhole } from './paper.tsx';
import { Head, inOrder, Outcome, othersLike, outcomes, ReportBar, rankOf, selected } from './report-parts.tsx';
import { CountsView, PartView } from './report-words.tsx';

interface ViewProps {
  report: ConformanceReport;
  /** Which report it is, and what can be done with it. */
  bar: ComponentChildren;
  /** Shows a request in its form; absent where there is none. */
  onTry?: Try | undefined;
}

/** A conformance report: the verdict, then its parts, of which the first lists all checks. */
export function ConformanceView({ report, bar, onTry }: ViewProps) {
  const { checks, words } = report;
  const parts = partsOf(report);
  const part = parts.find(({ title }) => title === place.value.query.part) ?? parts[0];
  const operations = useMemo(() => [...new Set(checks.map(({ operation }) => operation))], [checks]);
  const isList = part?.content === undefined;
  // Before it is drawn: later it would open over what a person has chosen meanwhile.
  useLayoutEffect(() => {
    const [first] = words?.findings ?? [];
    const isChosen = checks.some(({ id }) => id === place.value.selected);
    // Where there is little room, it would hide the list.
    if (first !== undefined && !isChosen && !isNarrow()) replacePlace('reports', first.check);
    return printWhole(report);
  }, [report]);
  return (
    <>
      <ReportBar file={bar} what="all checks" items={isList ? checks : []}>
        <Narrow
          name="operation"
          label="Operation"
          options={[['', 'All operations'], ...operations.map((one) => [one, one] as const)]}
        />
      </ReportBar>
      <Head report={report} />
      <nav class="tabs" aria-label="Parts of the report">
        {parts.map(({ title, count }) => (
          <a
            key={title}
            href={linkTo('reports', place.value.selected, { part: title === 'Checks' ? '' : title })}
            aria-current={title === part?.title ? 'true' : undefined}
          >
            {title} {count !== undefined && <small>{count}</small>}
          </a>
        ))}
      </nav>
      {isList ? (
        <Checks report={report} onTry={onTry} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <section class="list report-part" aria-label={part.title} tabIndex={0}>
          {part.content}
        </section>
      )}
    </>
  );
}

interface Tab {
  title: string;
  count?: number | undefined;
  /** Absent for the list of checks. */
  content?: ComponentChildren;
}

function partsOf({ checks, words }: ConformanceReport): Tab[] {
  const { counts = [], parts = [] } = words ?? {};
  return [
    { title: 'Checks', count: checks.length },
    ...(counts.length === 0 ? [] : [{ title: 'Summary', content: <CountsView counts={counts} /> }]),
    ...parts.map((part) => ({ title: part.title, count: part.count, content: <PartView part={part} /> })),
  ];
}

/** The list of checks, in which the findings with the same cause are folded, and the selected one. */
function Checks({ report, onTry }: Omit<ViewProps, 'bar'>) {
  const { checks, words } = report;
  const findings = useMemo(() => new Map(words?.findings.map((one) => [one.check, one])), [words]);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const columns = useMemo(() => columnsFor(findings), [findings]);
  const ordered = useMemo(() => inOrder(checks, [...findings.keys()]), [checks, findings]);
  const { operation = '' } = place.value.query;
  const found = selected(ordered, textOf).filter((check) => operation === '' || check.operation === operation);
  const order = orderOf(columns);
  const isWhole = order === undefined && found.length === checks.length;
  const isTree = isWhole && [...findings.values()].some(({ alike }) => alike !== undefined);
  const shownId = place.value.selected;
  const check = checks.find(({ id }) => id === shownId);
  const toggle = ({ id }: Row<Check>) => {
    const others = [...opened.value].filter((one) => one !== id);
    opened.value = new Set(opened.value.has(id) ? others : [...others, id]);
  };
  const isOpen = (id: string) => opened.value.has(id) !== (findings.get(shownId)?.like === id);
  const rows = isTree ? folded(found, findings, isOpen) : (order ? found.toSorted(order) : found).map(toRow);
  return (
    <div class="panes">
      <div class="list">
        {rows.length === 0 ? (
          <p class="loading">No check matches.</p>
        ) : (
          <Table label="Checks" {...{ columns, rows, selected: shownId }} {...(isTree ? { onToggle: toggle } : {})} />
        )}
      </div>
      {check !== undefined && (
        <Detail key={check.id} label={check.id} title={<code>{check.id}</code>}>
          <CheckFacts {...{ check, findings, onTry }} />
        </Detail>
      )}
    </div>
  );
}

function columnsFor(findings: ReadonlyMap<string, FindingWords>): readonly Column<Check>[] {
  return [
    { name: 'Check', cell: ({ id }) => <code>{id}</code>, sort: ({ id }) => id },
    {
      name: 'Outcome',
      cell: ({ outcome }) => <Outcome outcome={outcome} />,
      sort: ({ outcome }) => rankOf(outcomes, outcome),
      ...{ width: '120px', isKept: true },
    },
    {
      name: 'Found',
      cell: (check) => {
        const others = othersLike(check.id, findings).length;
        return (
          <span class="muted" title={findings.get(check.id)?.alike}>
            {others > 0 && <b>{others} more: </b>}
            {foundBy(check)}
          </span>
        );
      },
    },
  ];
}

/** What was found, or why not. */
function foundBy({ because, evidence, reason, expectedFailure }: Check): string {
  const found = because === undefined ? evidence?.actual || reason : `because of ${because}`;
  return `${expectedFailure === undefined ? '' : 'as expected; '}${found}`;
}

function toRow(item: Check): Row<Check> {
  return { id: item.id, item, href: linkTo('reports', item.id, { part: '' }) };
}

/** The rows of a tree: below the first finding with a cause, if it is open, the others. */
function folded(
  checks: readonly Check[],
  findings: ReadonlyMap<string, FindingWords>,
  isOpen: (id: string) => boolean,
): Row<Check>[] {
  return checks.flatMap((check) => {
    const { like, alike } = findings.get(check.id) ?? {};
    if (like !== undefined) return isOpen(like) ? [{ ...toRow(check), level: 2 }] : [];
    return [{ ...toRow(check), level: 1, isOpen: alike === undefined ? undefined : isOpen(check.id) }];
  });
}

function textOf({ id, reason, evidence, requirements, required = [] }: Check): string {
  const sentences = required.map(({ text }) => text);
  return [id, reason, evidence?.expected, evidence?.actual, ...requirements, ...sentences].join(' ');
}
