import { expect } from 'vitest';
import type { Found } from './edges.ts';

/**
 * Where an edge differs from HTTP, and why that stays so. A difference that no longer exists fails the tests: then
 * delete it here and in docs/in-a-page.md.
 */
interface Difference {
  why: string;
  /** The facts that differ, by name. */
  facts: readonly (string | RegExp)[];
  /** Whether only some versions of the browser differ, so that it need not exist. */
  isOfSomeVersions?: true;
}

// Undici rejects with an AbortError if the reason is null.
const nullReason = 'an abort before a slow body is read, with null';

const inWorker: readonly Difference[] = [
  { why: 'MSW loses header values that are not ASCII on their way to the page.', facts: ['headers in each form'] },
];

const differences = {
  'by the function, in Node': [{ why: 'Undici gives an AbortError where the reason is null.', facts: [nullReason] }],
  'behind MSW 3, in Node': [{ why: 'MSW 3 throws where it should reject.', facts: ['a getter that throws rejects'] }],
  'behind MSW 2, in Node': [
    {
      why: 'MSW 2 makes a response of its own, whose type is "default".',
      facts: [
        ...[/^a response of /, /^the status /, /^a truncated body by \w+\(\)$/, /^a clone/, /cannot be changed/],
        ...['a creation', 'a publication', 'a wrong method', 'no valid key', 'the document', 'a slow body'],
        'the class of a response',
      ],
    },
    {
      why: 'MSW 2 keeps a copy of each body, so that it cannot be given up.',
      facts: ['a body that is given up', 'a slow body that is given up'],
    },
    {
      why: 'MSW 2 replaces the class Request by one that accepts more.',
      facts: [
        ...['a stream without duplex', /^the address (ftp|about|blob):/, 'the settings {"body":"{}"}'],
        ...['the settings {"method":"HEAD","body":"{}"}', 'the settings {"method":"CONNECT"}'],
        ...['the settings {"method":""}', 'the settings {"mode":"navigate"}'],
      ],
    },
    { why: 'Undici gives an AbortError where the reason is null.', facts: [nullReason] },
  ],
  'by the function, in Chromium': [
    {
      why: 'Chromium gives an empty stream where the Fetch standard has no body.',
      facts: [
        ...[/^no body by /, 'a clone of a response without a body', 'the method of a Request is changed'],
        'an abort of a response without a body',
      ],
    },
    {
      why: 'Chromium fails a body also after a clone of it was read to the end.',
      facts: ['an abort after the clone was read to the end'],
    },
    {
      why: 'Chromium 150 gives an AbortError in place of the reason once a body arrives; 156 gives the reason.',
      isOfSomeVersions: true,
      facts: [
        ...['a signal of several while a body arrives', 'a time limit while a body arrives'],
        ...[
          'an abort between two reads',
          /^an abort before a slow body is read, with (a text|an error|an object of its own|null)$/,
        ],
        ...['an abort during for await', 'an abort during pipeTo()', 'an abort of a response that was cloned'],
        ...['an abort of the live request log', 'the signal of a Request while a body arrives'],
      ],
    },
  ],
  'behind MSW 3, in Chromium': inWorker,
  'behind MSW 2, in Chromium': inWorker,
} satisfies Record<string, readonly Difference[]>;

type EdgeName = keyof typeof differences;

/** Expects an edge to match HTTP except for the known differences, which must exist in every version. */
export function expectSame(edge: EdgeName, found: Found, http: Found): void {
  const known: readonly Difference[] = differences[edge];
  const isIn = (some: readonly Difference[], name: string) =>
    some.flatMap(({ facts }) => facts).some((fact) => (typeof fact === 'string' ? fact === name : fact.test(name)));
  const isKnown = (name: string) => isIn(known, name);
  const lasting = known.filter(({ isOfSomeVersions }) => isOfSomeVersions !== true);
  const without = (all: Found) => Object.fromEntries(Object.entries(all).filter(([name]) => !isKnown(name)));
  expect(without(found)).toEqual(without(http));
  const gone = Object.keys(http).filter(
    (name) => isIn(lasting, name) && JSON.stringify(found[name]) === JSON.stringify(http[name]),
  );
  expect(gone, `${edge}: no longer different`).toEqual([]);
}
