import { index } from '../shared/control.ts';
import { FileButton } from './file-button.tsx';
import { close, type Opened, opened, swap } from './opened.ts';
import { versionOf } from './read-report.ts';

interface BarProps {
  first: Opened;
  second: Opened | undefined;
}

/** Which files are open, and what can be done with them. */
export function ReportBar({ first, second }: BarProps) {
  const isCompared = second !== undefined;
  return (
    <div class="row report-bar">
      {opened.value.map((report, place) => (
        <OpenFile key={place} report={report} label={!isCompared ? '' : place === 0 ? 'Before: ' : 'After: '} />
      ))}
      {isCompared && (
        <button type="button" onClick={swap}>
          Swap
        </button>
      )}
      {!isCompared && <FileButton label="Compare with…" />}
      <FileButton label="Open another" replaces />
      <OtherVersion reports={second === undefined ? [first] : [first, second]} />
    </div>
  );
}

function OpenFile({ report, label }: { report: Opened; label: string }) {
  return (
    <span class="open-file">
      {label}
      <strong>{report.name}</strong>
      <button type="button" class="link" aria-label={`Close ${label}${report.name}`} onClick={() => close(report)}>
        Close
      </button>
    </span>
  );
}

/** Warns if a readable report is from a different version: it may contain more than is shown. */
function OtherVersion({ reports }: { reports: readonly Opened[] }) {
  const own = index.value?.version;
  const others = reports.map(({ report }) => versionOf(report)).filter((version) => version !== own);
  if (own === undefined || others.length === 0) return null;
  return (
    <span class="muted">
      Written by version {[...new Set(others)].join(' and ')}; this page has version {own} and shows what it recognizes.
    </span>
  );
}
