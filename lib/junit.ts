import { escapeMarkup, Markup, markup } from './markup.ts';

/** One result in a test case. */
export interface JunitResult {
  kind: 'failure' | 'error' | 'skipped' | 'system-out';
  message?: string;
  type?: string;
  text?: string;
}

/** One test case. Without results it passed. */
export interface JunitCase {
  classname: string;
  name: string;
  durationMs?: number;
  properties?: Readonly<Record<string, string>>;
  results?: readonly JunitResult[];
}

/** A document with one suite. */
interface JunitSuite {
  name: string;
  /** An ISO date-time. */
  startedAt: string;
  durationMs: number;
  properties: Readonly<Record<string, string>>;
  cases: readonly JunitCase[];
}

export function toJunitXml({ name, startedAt, durationMs, properties, cases }: JunitSuite): string {
  const count = (kind: JunitResult['kind']) =>
    cases.filter(({ results = [] }) => results.some((result) => result.kind === kind)).length;
  const totals = attributes({
    ...{ name, tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') },
    time: seconds(durationMs),
  });
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${totals}>
  <testsuite${totals}${attributes({ timestamp: startedAt })}>${propertyList(properties, '    ')}${cases.map(testCase)}
  </testsuite>
</testsuites>
`;
  return document.text;
}

function testCase({ classname, name, durationMs = 0, properties = {}, results = [] }: JunitCase): Markup {
  return markup`
    <testcase${attributes({ classname, name, time: seconds(durationMs) })}>${propertyList(properties, '      ')}${results.map(result)}
    </testcase>`;
}

function result({ kind, message, type, text = '' }: JunitResult): Markup {
  const tag = new Markup(kind);
  return markup`
      <${tag}${attributes({ message, type })}>${text}</${tag}>`;
}

function propertyList(properties: Readonly<Record<string, string>>, margin: string): Markup | undefined {
  const indent = new Markup(margin);
  const lines = Object.entries(properties).map(
    ([name, value]) => markup`
${indent}  <property${attributes({ name, value })}/>`,
  );
  return lines.length === 0
    ? undefined
    : markup`
${indent}<properties>${lines}
${indent}</properties>`;
}

/** The attributes that have a value. */
function attributes(values: Readonly<Record<string, string | number | undefined>>): Markup {
  const written = Object.entries(values).flatMap(([name, value]) =>
    // A parser turns a line break in an attribute into a space, unless it is a reference.
    value === undefined
      ? []
      : ` ${name}="${escapeMarkup(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`,
  );
  return new Markup(written.join(''));
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
