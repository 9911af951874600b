import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useShortcuts } from '../shared/keys.ts';
import { Notice } from '../shared/parts.tsx';
import { goTo } from '../shared/url-state.ts';
import { Comparison } from './comparison.tsx';
import { ConformanceView } from './conformance-view.tsx';
import { type Opened, open, opened, refused } from './opened.ts';
import { ReportBar } from './report-bar.tsx';
import { Start } from './start.tsx';
import { listenForFiles } from './take-files.ts';
import { VaryView } from './vary-view.tsx';

/** Reads conformance and vary reports, only in the page: nothing is sent or stored. */
export function ReportsView() {
  const isOver = useSignal(false);
  useEffect(
    () => listenForFiles({ onFiles: (files) => void open(files), onOver: (isNow) => (isOver.value = isNow) }),
    [],
  );
  useShortcuts([{ keys: 'Escape', does: 'Close what is selected', run: () => goTo('reports') }]);
  const [first, second] = opened.value;
  return (
    <div class={isOver.value ? 'reports over' : 'reports'}>
      <Refusals />
      {first !== undefined && <ReportBar first={first} second={second} />}
      {first === undefined ? (
        <Start />
      ) : second === undefined ? (
        <One {...first} />
      ) : (
        <Comparison both={[first, second]} />
      )}
    </div>
  );
}

function One(report: Opened) {
  return report.kind === 'vary' ? <VaryView report={report.report} /> : <ConformanceView report={report.report} />;
}

function Refusals() {
  if (refused.value.length === 0) return null;
  return (
    <Notice kind="error">
      {refused.value.map(({ name, refusal }, index) => (
        <p key={index}>
          <strong>{name}</strong> is not shown. {refusal}
        </p>
      ))}
    </Notice>
  );
}
