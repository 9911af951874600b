import { render } from 'preact';
import { ConformanceView } from './reports/conformance-view.tsx';
import type { ConformanceReport } from './reports/formats.ts';
import { LiveRegion } from './shared/announce.tsx';

// The page that `conformance --report html` fills with its report: the view Reports without anything around it.

const title = (
  <>
    <h1>Conformance report</h1>
    <h2 class="unseen">What the suite found</h2>
  </>
);
const root = document.getElementById('page');
const data = document.getElementById('report');
if (root !== null && data !== null) {
  const report = JSON.parse(data.textContent ?? '') as ConformanceReport;
  root.textContent = '';
  render(
    <>
      <main>
        <div class="view reports">
          <ConformanceView report={report} bar={title} />
        </div>
      </main>
      <LiveRegion />
    </>,
    root,
  );
}
