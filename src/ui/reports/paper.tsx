import { render } from 'preact';
import { CheckFacts } from './check-detail.tsx';
import type { ConformanceReport } from './formats.ts';
import { Head, inOrder, Outcome } from './report-parts.tsx';
import { CountsView, PartView } from './report-words.tsx';

/** Prints the whole report in place of what the window shows of it, until the returned function is called. */
export function printWhole(report: ConformanceReport): () => void {
  const paper = document.createElement('div');
  paper.className = 'paper';
  const lay = () => {
    render(<Paper report={report} />, paper);
    for (const details of paper.querySelectorAll('details')) details.open = true;
    document.body.append(paper);
  };
  const clear = () => {
    paper.remove();
    render(null, paper);
  };
  addEventListener('beforeprint', lay);
  addEventListener('afterprint', clear);
  return () => {
    removeEventListener('beforeprint', lay);
    removeEventListener('afterprint', clear);
  };
}

function Paper({ report }: { report: ConformanceReport }) {
  const { findings = [], counts = [], parts = [] } = report.words ?? {};
  const byId = new Map(report.checks.map((check) => [check.id, check]));
  const all = new Map(findings.map((one) => [one.check, one]));
  const shown = findings.filter(({ like }) => like === undefined).flatMap(({ check }) => byId.get(check) ?? []);
  return (
    <>
      <h1>Conformance report</h1>
      <Head report={report} />
      <CountsView counts={counts} />
      {shown.map((check) => (
        <article key={check.id} class="cause">
          <h2>
            <code>{check.id}</code>
          </h2>
          <CheckFacts check={check} findings={all} />
        </article>
      ))}
      {parts.map((part) => (
        <section key={part.title}>
          <h2>
            {part.title} <small>{part.count}</small>
          </h2>
          <PartView part={part} />
        </section>
      ))}
      <h2>Checks</h2>
      <ul class="names">
        {inOrder(report.checks, [...all.keys()]).map(({ id, outcome }) => (
          <li key={id}>
            <code>{id}</code> <Outcome outcome={outcome} />
          </li>
        ))}
      </ul>
    </>
  );
}
