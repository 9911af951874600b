import { isFields } from '../shared/json.ts';
import type { ConformanceReport, VaryReport } from './formats.ts';

export type Report = { kind: 'conformance'; report: ConformanceReport } | { kind: 'vary'; report: VaryReport };

const again = 'Run the command again with --json report.json.';

/** Reads a report from the text of a file. Throws a sentence that says what the file is, and what to do. */
export function readReport(text: string): Report {
  const content = text.replace(/^\ufeff/, '').trim();
  const other = otherFormats.find(({ begins }) => begins.test(content));
  if (other !== undefined)
    throw new Error(`${other.is} This page reads the JSON report of conformance or vary. ${again}`);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new Error(`This is not JSON, or only a part of it: ${(error as Error).message}. ${again}`);
  }
  if (has(value, 'verdict', 'checks', 'run')) return { kind: 'conformance', report: value as ConformanceReport };
  if (has(value, 'dependencies', 'variants')) return { kind: 'vary', report: value as VaryReport };
  const names = isFields(value) ? Object.keys(value).slice(0, 5) : [];
  const fields = names.length === 0 ? '' : `: its fields are "${names.join('", "')}"`;
  throw new Error(`This is JSON, but not a report${fields}. ${again}`);
}

function has(value: unknown, ...names: readonly string[]): boolean {
  return isFields(value) && names.every((name) => name in value);
}

/** Other files that these tools write, recognised by their first characters. */
const otherFormats: readonly { begins: RegExp; is: string }[] = [
  { begins: /^$/, is: 'It is empty.' },
  { begins: /^(?:<\?xml[^>]*>\s*)?<testsuites?\b/, is: 'This is a JUnit report.' },
  { begins: /^<(?:!doctype\s+)?html\b/i, is: 'This is an HTML page: open it in a browser.' },
  { begins: /^#+ /, is: 'This is a Markdown file.' },
  { begins: /^\{\s*"(?:log|openapi)"/, is: 'This is a HAR file or an OpenAPI document.' },
];

/** The version of the tool that wrote a report; undefined if the report does not say. */
export function versionOf({ kind, report }: Report): string | undefined {
  return /[ /](\d[\w.+-]*)$/.exec(String(kind === 'vary' ? report.tool : report.run?.tool))?.[1];
}
