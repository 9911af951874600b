import { type ConformanceReport, conformanceShape, type VaryReport, varyShape } from './formats.ts';
import type { Shape } from './shape.ts';

/** A parsed report. */
export type Report = { kind: 'conformance'; report: ConformanceReport } | { kind: 'vary'; report: VaryReport };

/** Why a file is not shown: what it is, what was expected, and what to do. */
export interface Refusal {
  refusal: string;
}

/** Bytes. Larger files are not read: the tab would run out of memory. */
export const largestFile = 100_000_000;

const wanted = 'This page reads the JSON report of conformance or vary';
const again = 'run the command again with --json report.json';

/** Why a file of this size, in bytes, is not read; undefined if it is. */
export function refuseSize(bytes: number): Refusal | undefined {
  if (bytes <= largestFile) return undefined;
  const megabytes = (size: number) => Math.round(size / 1_000_000);
  return {
    refusal: `It has ${megabytes(bytes)} MB; this page reads up to ${megabytes(largestFile)} MB. Run fewer checks at a time with --only, or open the report in a different program.`,
  };
}

/** Reads a report from the text of a file. `version` is the page's version. */
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

/** Other files that these tools write, recognised by their first characters. */
const otherFormats: readonly { begins: RegExp; is: string; instead: string }[] = [
  { begins: /^$/, is: 'It is empty.', instead: again },
  {
    begins: /^(?:<\?xml[^>]*>\s*)?<testsuites?\b/,
    is: 'This is a JUnit report.',
    instead: `${again}, or with --report junit,json for both`,
  },
  {
    begins: /^<(?:!doctype\s+)?html\b/i,
    is: 'This is an HTML page. Open it in a browser.',
    instead: `${again}, or with --report html,json for both`,
  },
  { begins: /^</, is: 'This is XML.', instead: again },
  { begins: /^#+ /, is: 'This is a Markdown file.', instead: `${again}, or with --report markdown,json for both` },
];

function damaged(text: string, { message }: Error): string {
  if (!/^[[{"]/.test(text)) return `This is not JSON. ${wanted}: ${again}.`;
  const isCut = !/[\]}"]$/.test(text) || /end of JSON|unterminated/i.test(message);
  const what = isCut ? 'The JSON is truncated' : 'The JSON is invalid';
  return `${what} (${message}). ${wanted}. Use the whole file, or ${again}.`;
}

function readValue(value: unknown, version: string): Report | Refusal {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const has = (...wantedNames: string[]) => wantedNames.every((name) => names.includes(name));
  if (has('verdict', 'checks')) return accept('conformance', conformanceShape, value, version);
  if (has('dependencies', 'variants')) return accept('vary', varyShape, value, version);
  return { refusal: `${nameOf(value, names)} ${wanted}: ${again}.` };
}

/** Other kinds of JSON, recognised by typical members. */
const otherJson: Readonly<Record<string, string>> = {
  log: 'This is a HAR file.',
  openapi: 'This is an OpenAPI document.',
  requests: 'This is a request log.',
};

function nameOf(value: unknown, names: readonly string[]): string {
  if (Array.isArray(value)) return 'This is a JSON list.';
  const known = Object.entries(otherJson).find(([name]) => names.includes(name));
  if (known !== undefined) return known[1];
  const shown = names.slice(0, 5).join(', ');
  return shown === ''
    ? 'This is JSON without content.'
    : `This is a different kind of JSON, with the members ${shown}.`;
}

function accept<T>(kind: Report['kind'], shape: Shape<T>, value: unknown, version: string): Report | Refusal {
  const wrong = shape.refuse(value, '');
  if (wrong === undefined) return { kind, report: value } as Report;
  const written = versionOf(value);
  if (written === version)
    return {
      refusal: `This ${kind} report was changed or damaged: ${wrong}. Use the file as it was written, or ${again}.`,
    };
  const by = written === undefined ? 'an unknown version' : `version ${written}`;
  return {
    refusal: `This ${kind} report was written by ${by}; this page reads reports of version ${version}: ${wrong}. Open it in the page of that version, or ${again} with this version.`,
  };
}

/** The version of the tool that wrote a report; undefined if the report does not say. */
export function versionOf(value: unknown): string | undefined {
  const { tool, run } = value as { tool?: unknown; run?: { tool?: unknown } | null };
  return /[ /](\d[\w.+-]*)$/.exec(String(tool ?? run?.tool))?.[1];
}
