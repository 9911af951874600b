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
      { value: 'trimmed', means: 'at least one non-blank character; leading and trailing blanks are removed' },
    ],
    default: 'nonEmpty',
    cost: 'A form accepts a name that the service rejects, or shows a different name from the one entered.',
    question: 'Which names are legal, and how long may they be?',
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
      },
    },
  },
} satisfies Rooms;
