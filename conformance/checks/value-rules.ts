import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import type { Session } from '../session.ts';
import { member, msBetween } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** Allowance for differences between clocks and time zones. */
const dayMs = 24 * 60 * 60 * 1_000;

/** Rules for values in a response that follow from the meaning of the fields, not from a schema. */
export const valueRules = {
  'size-is-not-negative': {
    does: 'Checks the size in every response.',
    expected: 'a size of 0 or more',
    find: (_: Session, __: string, { json }: Reply) => ifNegative('size', member(json, 'size')),
  },
  'modified-at-is-past': {
    does: 'Compares modifiedAt in every response with the Date header, or with the clock of the suite if there is none.',
    expected: 'a modifiedAt that is not more than a day ahead',
    find: (_: Session, __: string, { json, headers }: Reply) => ifAhead(member(json, 'modifiedAt'), headers.date),
  },
  'name-is-no-path': {
    does: 'Compares name with path in every response.',
    expected: 'a name that is not the whole path',
    find: (_: Session, __: string, { json }: Reply) => ifPath(member(json, 'name'), member(json, 'path')),
  },
  'document-count-is-not-negative': {
    does: 'Checks documentCount in every response.',
    expected: 'a documentCount of 0 or more',
    find: (_: Session, __: string, { json }: Reply) => ifNegative('documentCount', member(json, 'documentCount')),
  },
  'job-id-is-not-empty': {
    does: 'Checks jobId in every response.',
    expected: 'a jobId that is not empty',
    find: (_: Session, __: string, { json }: Reply) => (member(json, 'jobId') === '' ? [say`jobId is empty`] : []),
  },
};

function ifNegative(name: string, value: unknown): Sentence[] {
  return typeof value === 'number' && value < 0 ? [say`${own(name)} is ${asJson(value)}`] : [];
}

function ifAhead(modifiedAt: unknown, date: string | undefined): Sentence[] {
  const now = Number.isNaN(Date.parse(date ?? '')) ? new Date().toISOString() : new Date(date ?? '').toISOString();
  const aheadMs = typeof modifiedAt === 'string' ? msBetween(now, modifiedAt) : 0;
  return aheadMs > dayMs ? [say`modifiedAt is ${asJson(modifiedAt)}, at ${now}`] : [];
}

// The name of a file at the root has no slash either. A path that ends with a slash has no name.
function ifPath(name: unknown, path: unknown): Sentence[] {
  const isPath = typeof name === 'string' && name === path && /^\/.*[^/]$/s.test(name);
  return isPath ? [say`name is ${asJson(name)}`] : [];
}
