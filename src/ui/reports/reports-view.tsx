import { useSignal } from '@preact/signals';
import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../shared/button.tsx';
import { index, server } from '../shared/control.ts';
import { FileButton } from '../shared/form.tsx';
import { Command, Empty, Notice } from '../shared/parts.tsx';
import { goTo } from '../shared/url-state.ts';
import { openInTry } from '../try/draft.ts';
import { ConformanceView } from './conformance-view.tsx';
import { before, listenForFiles, open, opened, refusal } from './opened.ts';
import { versionOf } from './read-report.ts';
import { VaryView } from './vary-view.tsx';

/** Reads conformance and vary reports, only in the page: nothing is sent or stored. */
export function ReportsView() {
  const isOver = useSignal(false);
  useEffect(() => listenForFiles((isNow) => (isOver.value = isNow)), []);
  const report = opened.value;
  return (
    <div class={isOver.value ? 'view reports over' : 'view reports'}>
      {refusal.value !== '' && <Notice kind="error">{refusal.value}</Notice>}
      {report === undefined ? (
        <Start />
      ) : (
        <Guard key={report.name}>
          {report.kind === 'vary' ? (
            <VaryView report={report.report} bar={<FileBar />} />
          ) : (
            <ConformanceView
              report={report.report}
              bar={<FileBar />}
              // A proxy has no Try.
              {...(server === 'mock' ? { onTry: openInTry } : {})}
            />
          )}
        </Guard>
      )}
    </div>
  );
}

/** What it shows instead of a report in which something is missing or has another type. */
class Guard extends Component<{ children: ComponentChildren }, { problem: string }> {
  override state = { problem: '' };

  static override getDerivedStateFromError({ message }: Error) {
    return { problem: message };
  }

  override render() {
    if (this.state.problem === '') return this.props.children;
    return (
      <>
        <div class="toolbar">
          <FileBar />
        </div>
        <Notice kind="error">
          This report was changed or damaged, or another version wrote it ({this.state.problem}). Use the file as it was
          written.
        </Notice>
      </>
    );
  }
}

/** Which file is open, and who wrote it if it was another version. */
function FileBar() {
  const report = opened.value;
  if (report === undefined) return null;
  const [own, written] = [index.value?.version, versionOf(report)];
  const close = () => {
    opened.value = undefined;
    goTo('reports');
  };
  return (
    <>
      <strong>{report.name}</strong>
      <Button label="Close" aria-label={`Close ${report.name}`} onClick={close} />
      <OpenButton label="Open another" />
      {own !== undefined && written !== own && (
        <span class="muted">
          Written by version {written ?? 'unknown'}; this page has version {own} and shows what it recognizes.
        </span>
      )}
    </>
  );
}

function OpenButton({ label, isMain = false }: { label: string; isMain?: boolean }) {
  return <FileButton {...{ label, isMain, name: 'Report', accept: '.json,application/json' }} onFile={open} />;
}

/** Shown while no report is open: how to open one, and the commands that write one. */
function Start() {
  const { conformance, vary } = index.value?.commands ?? {};
  return (
    <Empty title="Open a report">
      {before.value !== '' && (
        <Notice kind="note">
          {before.value} was open before the page was reloaded. Open it again: the page does not store reports.
        </Notice>
      )}
      <p>Drop a JSON report of conformance or vary anywhere here.</p>
      <div class="row">
        <OpenButton label="Choose a file" isMain />
        <input
          class="paste"
          aria-label="Paste the text of a report"
          placeholder="or paste its text here"
          onInput={({ currentTarget }) => {
            void open(currentTarget.value);
            currentTarget.value = '';
          }}
        />
      </div>
      <p class="muted">The report stays in this page. Its content is not sent or stored.</p>
      {conformance !== undefined && vary !== undefined && (
        <>
          <h4>Write a report with</h4>
          <Command text={conformance} />
          <Command text={vary} />
        </>
      )}
    </Empty>
  );
}
