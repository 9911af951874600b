// To add a format: a file, and a line below. The names for the help are in `src/options/conformance-options.ts`.

import { toHtml } from './html.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from './report.ts';
import { withWords } from './report-words.ts';

/** A form in which a report can be written to a file. */
export interface Reporter {
  fileName: string;
  /** `isStrict`: whether the run fails with a warning and with a check that is not enabled (`--strict`). */
  write(report: Report, isStrict?: boolean): string;
}

export type ReporterName = 'junit' | 'html' | 'markdown' | 'json';

/** Every form in which a report can be written to a file, by its name on the command line. */
export const reporters: Readonly<Record<ReporterName, Reporter>> = {
  junit: { fileName: 'conformance.junit.xml', write: toJunit },
  html: { fileName: 'conformance.html', write: toHtml },
  markdown: { fileName: 'conformance.md', write: toMarkdown },
  json: { fileName: 'conformance.json', write: (report) => `${JSON.stringify(withWords(report), null, 2)}\n` },
};
