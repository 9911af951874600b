import { defineOptions, inGroup, type Options, optionErrors } from '../../lib/options.ts';
import { StartError } from './start-error.ts';

// Types, defaults, errors, the command line, help and documents derive from these tables, and those in
// `src/node/options.ts`. Import nothing heavy here.

/** For mock and proxy; only the ports differ. */
export const sharedOptions = defineOptions({
  host: { kind: 'text', placeholder: '<address>', default: '127.0.0.1', isCommon: true, help: 'Address to listen on' },
  profile: {
    kind: 'text',
    placeholder: '<file>',
    isCommon: true,
    help: 'YAML or JSON file with choices for open points (unspecified behaviour). The others keep their defaults',
  },
  set: {
    kind: 'text',
    placeholder: '<open point>=<choice>',
    isRepeatable: true,
    nameEnd: '=',
    isCommon: true,
    help: 'Choice for one open point; overrides the profile',
  },
});

/** The options of `createMock`, by name. */
export const mockOptions = defineOptions({
  ...inGroup('Address', {
    port: {
      short: 'p',
      kind: 'integer',
      placeholder: '<number>',
      maximum: 65_535,
      default: 4010,
      isCommon: true,
      help: 'Port to listen on; 0 picks a free port and prints it',
    },
    host: sharedOptions.host,
    httpsCert: {
      kind: 'text',
      placeholder: '<file>',
      isCommon: true,
      help: 'Serve HTTPS with this PEM certificate and --https-key',
    },
    httpsKey: {
      kind: 'text',
      placeholder: '<file>',
      isCommon: true,
      help: 'Private key of the certificate, a PEM file',
    },
  }),
  ...inGroup('Data', {
    seed: {
      kind: 'text',
      placeholder: '<file>',
      default: 'demo',
      isCommon: true,
      help: 'Initial data: a YAML or JSON file, or the built-in demo',
    },
    state: {
      kind: 'text',
      placeholder: '<file>',
      defaultText: 'in memory only',
      isCommon: true,
      help: 'Keep the state in this file; starting with the same file resumes from it. An existing file overrides --seed, --random-seed and --clock',
    },
    openKeys: {
      kind: 'switch',
      isCommon: true,
      help: 'Give each unknown API key its own sandbox, a fresh copy of the first organization in the seed',
    },
    maxSandboxes: {
      kind: 'integer',
      placeholder: '<number>',
      minimum: 1,
      maximum: 1_000_000,
      default: 1_000,
      help: 'Maximum number of sandboxes. At the limit, a new sandbox replaces the least recently used one; sandboxes without changes go first',
    },
    clock: {
      kind: 'text',
      placeholder: '<ISO time>',
      isCommon: true,
      help: 'Freeze the clock at this time, for example 2026-03-02T08:15:00Z',
    },
    randomSeed: {
      kind: 'integer',
      placeholder: '<number>',
      minimum: Number.MIN_SAFE_INTEGER,
      default: 1,
      defaultText: '1; with --vary a new one at each start, which is printed',
      help: 'Random seed for generated ids and for --vary. Runs with the same random seed and --clock return identical responses',
    },
  }),
  ...inGroup('Behaviour', {
    profile: sharedOptions.profile,
    set: sharedOptions.set,
    vary: {
      kind: 'text',
      values: ['hidden', 'visible'],
      bare: 'visible',
      isCommon: true,
      help: 'Random choices where --profile and --set name none; hidden: only where no correct client notices; visible (same as --vary): everywhere',
    },
    latency: {
      kind: 'text',
      placeholder: '<ms>[-<ms>]',
      isCommon: true,
      help: 'Delay each response by this many milliseconds, or by a random time in this range. A reset restores this delay if the admin API changed it',
    },
    openPointsHeader: {
      kind: 'switch',
      sets: false,
      help: 'Omit the response header X-Open-Points, which names the open points that shaped the response',
    },
  }),
  ...inGroup('Admin API', {
    adminToken: {
      kind: 'text',
      placeholder: '<token>',
      secret: '<token>',
      help: 'Bearer token for the admin API. Without a token, the admin API is open on loopback addresses only',
    },
    adminOrigins: {
      name: 'admin-origin',
      kind: 'text',
      placeholder: '<origin>',
      isRepeatable: true,
      help: 'Allow pages from this origin to use the admin API, for example http://localhost:5173',
    },
    admin: {
      kind: 'switch',
      sets: false,
      contradicts: ['adminToken', 'adminOrigins'],
      help: 'Turn off the admin API',
    },
    requestLogLimit: {
      kind: 'integer',
      placeholder: '<number>',
      maximum: 1_000_000,
      default: 1_000,
      help: 'Maximum number of exchanges in the request log; 0 turns it off',
    },
  }),
});

type PropertyType = 'string' | 'null' | 'number' | 'object' | 'boolean' | 'Date' | 'function';

/** The types of library options that accept more than the command's flag does, or have no flag. */
export type MoreTypes = Readonly<Record<string, readonly PropertyType[]>>;

/** For the options that every mock has, wherever it runs. */
export const valueTypes: MoreTypes = {
  ...{ seed: ['string', 'object'], profile: ['string', 'object'], set: ['object'] },
  ...{ latency: ['number', 'object', 'string'], clock: ['string', 'Date'] },
  ...{ onExchange: ['function'], onUnexpected: ['function'] },
};

/** Throws a {@link StartError} (`OPTION_INVALID`) that lists all unknown, invalid and contradictory options. */
export function requireOptions(options: Options, given: unknown, more: MoreTypes, prefix = ''): void {
  const name = prefix === '' ? 'The options' : prefix;
  if (!hasType(given, 'object')) throw new StartError('OPTION_INVALID', `${name} must be an object.`);
  const named = optionErrors(options, given as object, Object.keys(more), prefix).map(({ plain }) => plain);
  const typed = Object.entries(more).flatMap(([key, types]) => {
    const value = (given as Record<string, unknown>)[key];
    const isRight = value === undefined || types.some((type) => hasType(value, type));
    return isRight ? [] : [`${prefix}${key} must be ${types.map((type) => typeNames[type]).join(' or ')}.`];
  });
  const errors = [...named, ...typed];
  if (errors.length > 0) throw new StartError('OPTION_INVALID', errors.join('\n'));
}

const typeNames: Readonly<Record<PropertyType, string>> = {
  ...{
    string: 'a string',
    null: 'null',
    number: 'a number',
    object: 'an object',
    boolean: 'true or false',
    Date: 'a Date',
    function: 'a function',
  },
};

function hasType(value: unknown, type: PropertyType): boolean {
  if (type === 'Date') return value instanceof Date;
  if (type === 'null') return value === null;
  if (type !== 'object') return typeof value === type;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
