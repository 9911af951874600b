import type { SchemaObject } from '../contract/document.ts';
import type { Operation } from '../contract/operations.ts';
import { chosen, type Profile } from '../contract/profile.ts';
import { isNameDuplicate, isUrlDuplicate } from '../reading/deviations.ts';
import { acceptedOrRefused } from '../reading/observer.ts';
import { type Outcome, success } from './relevance.ts';
import type { Rooms } from './room.ts';

/** Names, and what must be unique. */
export const namesPoints = {
  nameRules: {
    sources: ['2/gap:3'],
    operations: ['createDrive', 'createMcpServer'],
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'Which names are accepted, and whether they are stored unchanged.',
    choices: [
      { value: 'nonEmpty', means: 'at least one character; stored unchanged' },
      { value: 'anyString', means: 'any string, including the empty string; stored unchanged' },
      { value: 'bounded', means: '1 to 255 characters; stored unchanged' },
      { value: 'trimmed', means: 'at least one non-whitespace character; leading and trailing whitespace is removed' },
    ],
    default: 'nonEmpty',
    isStored: true,
    cost: 'A form accepts a name that the service rejects, or shows a different name from the one entered.',
    question: 'Which names are legal, and how long may they be?',
    regards: ['invalidBody'],
    inContract: { schema: (schema, { nameRules }) => void Object.assign(schema, nameBounds[nameRules]) },
    decides: { stage: 'input', appliesTo: ({ fields }) => isUnusualName(fields?.name) },
  },
  duplicates: {
    sources: ['7/gap:2'],
    impact: 'visible',
    seen: 'wire',
    open: 'Whether names and URLs are unique.',
    question: 'Are names unique within an organization? Can the same URL be registered twice?',
    cases: {
      names: {
        operations: ['createDrive', 'createMcpServer'],
        severity: 2,
        open: 'Whether two drives, or two MCP servers, of an organization may have the same name.',
        choices: [
          { value: 'allowed', means: 'they may' },
          { value: 'refused', means: 'the second creation is refused as a conflict, by default with 409' },
        ],
        default: 'allowed',
        cost: 'A client that identifies a drive by its name picks the wrong one, or an import stops at a name that exists.',
        see: acceptedOrRefused(isNameDuplicate, 'allowed', 'refused'),
        regards: ['conflict'],
        refuses: (profile) => (profile['duplicates.names'] === 'refused' ? ['conflict'] : []),
        decides: { outcomes: outcomesOfNames },
      },
      urls: {
        operations: 'createMcpServer',
        severity: 1,
        open: 'Whether two MCP servers of an organization may have the same URL.',
        choices: [
          { value: 'allowed', means: 'they may' },
          { value: 'refused', means: 'the second registration is refused as a conflict, by default with 409' },
        ],
        default: 'allowed',
        cost: 'A client that registers a server again, for instance under a different name, gets an error, or lists it twice.',
        see: acceptedOrRefused(isUrlDuplicate, 'allowed', 'refused'),
        refuses: (profile) => (profile['duplicates.urls'] === 'refused' ? ['conflict'] : []),
        decides: { outcomes: outcomesOfUrls },
      },
    },
  },
} satisfies Rooms;

// Under `refused`, generated names avoid taken ones.
function outcomesOfNames(profile: Profile, { bodyFields }: Operation): readonly Outcome[] {
  if (profile['duplicates.names'] === 'allowed') return [success];
  const required = chosen(
    profile,
    bodyFields.includes('url') ? 'requiredFields.createMcpServer' : 'requiredFields.createDrive',
  );
  return required === 'all' ? ['conflict'] : ['conflict', success];
}

function outcomesOfUrls(profile: Profile): readonly Outcome[] {
  if (profile['duplicates.urls'] === 'allowed') return [success];
  return chosen(profile, 'requiredFields.createMcpServer') === 'none' ? ['conflict', success] : ['conflict'];
}

/** What each choice of `nameRules` requires of a name. */
const nameBounds = {
  anyString: {},
  nonEmpty: { minLength: 1 },
  bounded: { minLength: 1, maxLength: 255 },
  trimmed: { pattern: '\\S', 'x-violation': 'must contain a character that is not whitespace' },
} as const satisfies Record<Profile['nameRules'], Partial<SchemaObject>>;

const longestName = Math.min(
  ...Object.values(nameBounds).flatMap((bounds) => ('maxLength' in bounds ? bounds.maxLength : [])),
);

function isUnusualName(name: unknown): boolean {
  return typeof name === 'string' && (name === '' || name !== name.trim() || name.length > longestName);
}
