import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Store } from '../../../src/domain/store.ts';
import type { Call } from '../../../src/engine/call.ts';
import type { Break, Mutant } from '../mutant.ts';
import { lenientKeys } from './authentication-keys.ts';
import { operations } from './operations.ts';
import { idIn, onCallsOf, onEveryCall, refusal, sentField, sentParameter, withKey } from './patch.ts';
import { sequence, unpublishAll } from './patch-store.ts';
import { bearerKey, headerKey, isKeyless, sentKeys } from './sent-keys.ts';
import { table } from './table.ts';

const authHeaders = [
  { name: 'header', header: 'X-API-Key' },
  { name: 'bearer', header: 'Authorization' },
];

/** For each operation one server that does not know the one header there, and one that does not know the other. */
const deafAuthHeaders: readonly Mutant[] = operations.flatMap(({ id, slug, said }) =>
  authHeaders.map(
    ({ name, header }): Mutant => ({
      id: `${slug}-knows-no-${name}-key`,
      class: 'authentication',
      place: 'engine',
      requirement: name === 'header' ? 'auth.api-key-header' : 'auth.bearer-header',
      check: `${id}.${name}-key`,
      fault: `${said} does not look into ${header}.`,
      break: onCallsOf(id, (call, sound) => sound.answer(without(call, header.toLowerCase()))),
    }),
  ),
);

function without(call: Call, header: string): Call {
  return { ...call, headers: { ...call.headers, [header]: undefined } };
}

/** What a writing operation does before it refuses. */
interface Effect {
  id: OperationId;
  slug: string;
  /** What stands in the check's id behind `no-key-` and `wrong-key-`. */
  rule: string;
  /** What it does to a request `without a key` or `with a wrong key`. */
  said(request: string): string;
}

const effects: readonly Effect[] = [
  {
    ...{ id: 'publishAgentRevision', slug: 'publish', rule: 'publishes-nothing' },
    said: (request) => `A publication ${request} is refused with 401 when the revision is published already.`,
  },
  {
    ...{ id: 'createDrive', slug: 'create-drive', rule: 'creates-nothing' },
    said: (request) => `A drive is created ${request}, and then 401 is answered.`,
  },
  {
    ...{ id: 'updateDriveFile', slug: 'move', rule: 'moves-nothing' },
    said: (request) => `The file is moved before a request ${request} is refused with 401.`,
  },
  {
    ...{ id: 'deleteDriveTree', slug: 'delete-tree', rule: 'deletes-nothing' },
    said: (request) => `The tree is deleted although the request came ${request} and is answered with 401.`,
  },
  {
    ...{ id: 'createMcpServer', slug: 'create-mcp-server', rule: 'creates-nothing' },
    said: (request) => `An MCP server is registered ${request}, and then 401 is answered.`,
  },
];

const strangers = [
  { slug: 'without-a-key', rule: 'no-key', said: 'without a key', isMeant: isKeyless },
  { slug: 'with-a-wrong-key', rule: 'wrong-key', said: 'with a wrong key', isMeant: (call: Call) => !isKeyless(call) },
];

/** Servers that refuse a stranger after having done what was asked. */
const lateRefusals: readonly Mutant[] = effects.flatMap((effect) =>
  strangers.map(
    (stranger): Mutant => ({
      id: `${effect.slug}-happens-${stranger.slug}`,
      class: 'authentication',
      place: 'engine',
      requirement: 'auth.unauthenticated-request-has-no-effect',
      check: `${effect.id}.${stranger.rule}-${effect.rule}`,
      fault: effect.said(stranger.said),
      break: sequence(
        effect.id === 'publishAgentRevision' ? unpublishAll : () => undefined,
        onCallsOf(effect.id, (call, sound, engine) => {
          const isStranger = sound.caller(call) === undefined && stranger.isMeant(call);
          // A run has only so many files to lose, and tries many keys.
          const isSpared = effect.id === 'deleteDriveTree' && !isKeyless(call) && headerKey(call) === undefined;
          if (isStranger && !isSpared) sound.answer(withKey(call, engine.store.keys[0]));
          return sound.answer(call);
        }),
      ),
    }),
  ),
);

// Each of these codes has been seen in the place of 401.
const otherCodes = [
  { kind: 'forbidden', slug: '403', said: '403' },
  { kind: 'unknownPath', slug: '404', said: '404, as if there were nothing' },
  { kind: 'malformedRequest', slug: '400', said: '400' },
] as const;

/** For each operation one server with another code for a missing key, and one with another code for a wrong one. */
const otherRefusals: readonly Mutant[] = operations.flatMap((operation, index) =>
  strangers.map((stranger, place): Mutant => {
    const code = otherCodes[(index + place) % otherCodes.length] ?? otherCodes[0];
    return {
      id: `${operation.slug}-${stranger.slug}-is-${code.slug}`,
      class: 'status',
      place: 'engine',
      requirement: operation.id === 'listMcpServerTools' ? 'auth.tools-refusal-is-401' : 'auth.other-refusals-are-401',
      check: `${operation.id}.${stranger.rule}-is-401`,
      fault: `${operation.said} ${stranger.said} is answered with ${code.said}.`,
      break: onCallsOf(operation.id, (call, sound, engine) => {
        const isStranger = sound.caller(call) === undefined && stranger.isMeant(call);
        return isStranger ? refusal(engine, code.kind) : sound.answer(call);
      }),
    };
  }),
);

const isClimbing = (path: unknown) => String(path).includes('..');

/** For each operation that takes input: what of it is wrong, whoever sends it. */
const wrongInputs: Partial<Record<OperationId, readonly [said: string, isWrong: (call: Call) => boolean]>> = {
  publishAgentRevision: ['A body without a revision', (call) => sentField(call, 'revisionId') === undefined],
  createDrive: ['A body without a name', (call) => sentField(call, 'name') === undefined],
  listDrives: ['A limit that is no number', (call) => Number.isNaN(Number(sentParameter(call, 'limit') ?? 0))],
  getDriveFile: ['A file that is not there', (call) => /none/.test(idIn(call, 'fileId'))],
  updateDriveFile: ['A path with a .. segment', (call) => isClimbing(sentField(call, 'path'))],
  deleteDriveTree: ['A tree with a .. segment', (call) => isClimbing(sentParameter(call, 'path'))],
  createMcpServer: ['A body without a URL', (call) => sentField(call, 'url') === undefined],
};

const unknownServer = ['A server that is not there', (call: Call) => /none/.test(idIn(call, 'mcpServerId'))] as const;

/** Servers that judge the input before the key, in one operation. */
const earlyRefusals: readonly Mutant[] = operations.flatMap(({ id, slug, said }) => {
  const [what, isWrong] = wrongInputs[id] ?? [];
  if (what === undefined || isWrong === undefined) return [];
  return {
    ...{ id: `${slug}-judges-input-before-the-key`, class: 'status', place: 'engine' },
    requirement: 'auth.key-is-judged-first',
    check: `${id}.key-comes-first`,
    fault: `${what} is answered with 400 by ${said} before the key is looked at.`,
    break: onCallsOf(id, (call, sound, engine) => {
      const isEarly = sound.caller(call) === undefined && isWrong(call);
      return isEarly ? refusal(engine, 'malformedRequest') : sound.answer(call);
    }),
  } satisfies Mutant;
});

/** Servers that answer what is wrong with an empty success before they look at the key, in one operation. */
const earlySuccesses: readonly Mutant[] = operations.flatMap(({ id, slug, said }) => {
  const [what, isWrong] = { ...wrongInputs, listMcpServerTools: unknownServer }[id] ?? [];
  if (what === undefined || isWrong === undefined) return [];
  return {
    ...{ id: `${slug}-lets-wrong-input-through`, class: 'authentication', place: 'engine' },
    requirement: 'auth.wrong-input-is-not-let-through',
    check: `${id}.wrong-input-is-not-let-through`,
    fault: `${what} is answered with an empty object and 200 by ${said}, without a look at the key.`,
    break: onCallsOf(id, (call, sound) => {
      const isEarly = sound.caller(call) === undefined && isWrong(call);
      return isEarly
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }
        : sound.answer(call);
    }),
  } satisfies Mutant;
});

/** Finds the organization of an unknown key all the same: that of another key, or this one. */
function findUnknown(find: (sent: string, store: Store) => string | Organization | undefined): Break {
  return ({ store }) => {
    const organizationOf = store.organizationOf.bind(store);
    store.organizationOf = (sent) => {
      const known = organizationOf(sent);
      if (known !== undefined) return known;
      const found = find(sent, store);
      return typeof found === 'string' ? organizationOf(found) : found;
    };
  };
}

/** Servers that look at a key before they look it up, and refuse it for its looks. */
const choosyRefusals: readonly Mutant[] = table(
  'status',
  'engine',
  {
    'listMcpServerTools.wrong-key-is-401: tools-answer-a-short-key-with-400': [
      'The tools endpoint answers 400 to a key that is too short to be one.',
      refuseWhen('malformedRequest', (call) => (headerKey(call) ?? bearerKey(call) ?? 'long enough').length < 6),
    ],
    'listMcpServerTools.wrong-key-is-401: tools-answer-another-scheme-with-400': [
      'The tools endpoint answers 400 to an Authorization header of another scheme.',
      refuseWhen('malformedRequest', (call) => /^(?!bearer )/i.test(String(call.headers.authorization ?? 'bearer '))),
    ],
    'listMcpServerTools.wrong-key-is-401: tools-answer-a-long-key-with-403': [
      'The tools endpoint answers 403 to a key that is too long to be one.',
      refuseWhen('forbidden', (call) => (headerKey(call) ?? bearerKey(call) ?? '').length > 100),
    ],
  },
  'auth.tools-refusal-is-401',
);

function refuseWhen(kind: 'malformedRequest' | 'forbidden', isMeant: (call: Call) => boolean): Break {
  return onCallsOf('listMcpServerTools', (call, sound, engine) =>
    isMeant(call) ? refusal(engine, kind) : sound.answer(call),
  );
}

/** Keys as the store knows them. */
const storedKeys: readonly Mutant[] = [
  ...table('authentication', 'store', {
    'listAgents.near-key.shortened: keys-are-found-by-their-beginning': [
      'A key is looked up by its beginning: any text that a key begins with is let through everywhere.',
      findUnknown((sent, { keys }) => keys.find((key) => sent !== '' && key.startsWith(sent))),
    ],
    'listAgents.near-key.others: keys-are-found-by-their-last-six-characters': [
      'An unknown key is looked up by its last six characters, everywhere.',
      findUnknown((sent, { keys }) => keys.find((key) => key.slice(-6) === sent.slice(-6))),
    ],
    'listMcpServers.near-key.others: keys-are-found-by-a-pattern': [
      'A key is a pattern in which a percent sign stands for anything, everywhere.',
      findUnknown((sent, { keys }) => (sent === '%' ? keys[0] : undefined)),
    ],
    'listDrives.near-key.extended: keys-are-compared-by-their-first-eight-characters': [
      'An unknown key is compared by its first eight characters only, everywhere.',
      findUnknown((sent, { keys }) => keys.find((key) => key.slice(0, 8) === sent.slice(0, 8))),
    ],
    'listMcpServers.wrong-header-key: unknown-keys-belong-to-the-last-organization': [
      'The look-up of an unknown key gives the last organization instead of none.',
      findUnknown((_, { organizations }) => organizations.at(-1)),
    ],
    'listMcpServerTools.wrong-header-key: keys-are-not-judged-after-eight-wrong-ones': [
      'After eight wrong keys every further one is let through, as the first organization.',
      (engine) => {
        let wrong = 0;
        findUnknown((_, { organizations }) => (++wrong > 8 ? organizations[0] : undefined))(engine);
      },
    ],
  }),
  ...table('authentication', 'engine', {
    'getDriveFile.empty-key: an-empty-header-key-opens-every-reading': [
      'An empty X-API-Key opens every reading operation, as the first organization.',
      onEveryCall((call, sound, { store }) => {
        const isReading = /^(list|get)/.test(call.operationId);
        const isOpen = isReading && sentKeys(call).header === '' && sound.caller(call) === undefined;
        return sound.answer(isOpen ? withKey(call, store.keys[0]) : call);
      }),
    ],
  }),
];

export const authentication: readonly Mutant[] = [
  ...deafAuthHeaders,
  ...lenientKeys,
  ...lateRefusals,
  ...otherRefusals,
  ...earlyRefusals,
  ...earlySuccesses,
  ...choosyRefusals,
  ...storedKeys,
];
