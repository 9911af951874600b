import { type ConformanceReport, conformanceShape, type VaryReport, varyShape } from './formats.ts';
import type { Shape } from './shape.ts';

/** A report that was read. */
export type Report = { kind: 'conformance'; report: ConformanceReport } | { kind: 'vary'; report: VaryReport };

/** Why a file is not shown: what it is, what was expected, and what to do. */
export interface Refusal {
  refusal: string;
}

/** Larger files are not even read: a tab would run out of memory. In bytes. */
export const largestFile = 100_000_000;

const wanted = 'This page reads the JSON report of conformance or vary';
const again = 'run the command again with --json report.json';

/** Why a file of this size, in bytes, is not read; undefined where it is. */
export function refuseSize(bytes: number): Refusal | undefined {
  if (bytes <= largestFile) return undefined;
  const megabytes = (size: number) => Math.round(size / 1_000_000);
  return {
    refusal: `It has ${megabytes(bytes)} MB, and this page reads up to ${megabytes(largestFile)} MB. Judge fewer checks at a time with --only, or read the report with another program.`,
  };
}

/** Reads a report from the text of a file. `version` is that of the page. */
export function readReport(given: string, version: string): Report | Refusal {
  const text = given.replace(/^\ufeff/, '').trim();
  const other = otherFormats.find(({ begins }) => begins.test(text));
  if (other !== undefined) return { refusal: `${other.is} ${wanted}: ${other.instead}.` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { refusal: damaged(text, error as Error) };
  }
  return readValue(value, version);
}

/** Files that the same tools write, by their first characters. */
const otherFormats: readonly { begins: RegExp; is: string; instead: string }[] = [
  { begins: /^$/, is: 'It is empty.', instead: again },
  {
    begins: /^(?:<\?xml[^>]*>\s*)?<testsuites?\b/,
    is: 'It is a JUnit report.',
    instead: `${again}, or with --report junit,json for both`,
  },
  {
    begins: /^<(?:!doctype\s+)?html\b/i,
    is: 'It is an HTML page. A browser opens it by itself.',
    instead: `${again}, or with --report html,json for both`,
  },
  { begins: /^</, is: 'It is XML.', instead: again },
  { begins: /^#+ /, is: 'It is a Markdown file.', instead: `${again}, or with --report markdown,json for both` },
];

function damaged(text: string, { message }: Error): string {
  if (!/^[[{"]/.test(text)) return `It is no JSON. ${wanted}: ${again}.`;
  const isCut = !/[\]}"]$/.test(text) || /end of JSON|unterminated/i.test(message);
  const what = isCut ? 'It is JSON that breaks off in the middle' : 'It is damaged JSON';
  return `${what} (${message}). ${wanted}. Take the whole file, or ${again}.`;
}

function readValue(value: unknown, version: string): Report | Refusal {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const has = (...wantedNames: string[]) => wantedNames.every((name) => names.includes(name));
  if (has('verdict', 'checks')) return accept('conformance', conformanceShape, value, version);
  if (has('dependencies', 'sandboxes')) return accept('vary', varyShape, value, version);
  return { refusal: `${nameOf(value, names)} ${wanted}: ${again}.` };
}

/** JSON of other kinds, by the members that tell. */
const otherJson: Readonly<Record<string, string>> = {
  log: 'It is a HAR file.',
  openapi: 'It is an OpenAPI document.',
  requests: 'It is a request log of requests.',
};

function nameOf(value: unknown, names: readonly string[]): string {
  if (Array.isArray(value)) return 'It is a JSON list.';
  const known = Object.entries(otherJson).find(([name]) => names.includes(name));
  if (known !== undefined) return known[1];
  const shown = names.slice(0, 5).join(', ');
  return shown === '' ? 'It is JSON without content.' : `It is JSON of another kind, with the members ${shown}.`;
}

function accept<T>(kind: Report['kind'], shape: Shape<T>, value: unknown, version: string): Report | Refusal {
  const wrong = shape.refuse(value, '');
  if (wrong === undefined) return { kind, report: value } as Report;
  const written = versionOf(value);
  if (written === version)
    return {
      refusal: `It is a report of ${kind} that was changed or damaged: ${wrong}. Take the file as it was written, or ${again}.`,
    };
  const by = written === undefined ? 'an unknown version' : `version ${written}`;
  return {
    refusal: `It is a report of ${kind} by ${by}, and this page reads those of version ${version}: ${wrong}. Open it in the page of its own version, or ${again} with this version.`,
  };
}

/** The version of the tool that wrote a report; undefined where it does not tell. */
export function versionOf(value: unknown): string | undefined {
  const { tool, run } = value as { tool?: unknown; run?: { tool?: unknown } | null };
  return /[ /](\d[\w.+-]*)$/.exec(String(tool ?? run?.tool))?.[1];
}
