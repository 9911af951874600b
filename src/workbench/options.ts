import { defineOptions, type Options, optionErrors } from '../../openapi/contract/options.ts';
import { StartError } from './start-error.ts';

// Types, defaults, errors, the command line, help and documents derive from these tables, and those in
// `src/node/options.ts`. Nothing is loaded with them.

/** Of mock and proxy. The ports differ. */
export const sharedOptions = defineOptions({
  host: { kind: 'text', placeholder: '<address>', default: '127.0.0.1', help: 'The address to listen on' },
  profile: {
    kind: 'text',
    placeholder: '<file>',
    help: 'A YAML or JSON file with choices for open points. The other open points have their default',
  },
  set: {
    kind: 'text',
    placeholder: '<open point>=<choice>',
    isRepeatable: true,
    nameEnd: '=',
    help: 'A choice for one open point; overrides the profile',
  },
});

/** The options of `createMock`, by name. */
export const mockOptions = defineOptions({
  port: {
    short: 'p',
    kind: 'integer',
    placeholder: '<number>',
    maximum: 65_535,
    default: 4010,
    help: 'The port to listen on; 0 takes a free port and prints it',
  },
  host: sharedOptions.host,
  seed: {
    kind: 'text',
    placeholder: '<file>',
    default: 'demo',
    help: 'The starting state: a YAML or JSON file, or the built-in demo',
  },
  state: {
    kind: 'text',
    placeholder: '<file>',
    defaultText: 'in memory only',
    help: 'Keep the state in this file: a mock that is started with it again goes on where it was. If the file exists, it wins over --seed, --random-seed and --clock',
  },
  profile: sharedOptions.profile,
  set: sharedOptions.set,
  clock: {
    kind: 'text',
    placeholder: '<ISO time>',
    help: 'Stop the clock at this time, for example 2026-03-02T08:15:00Z',
  },
  randomSeed: {
    kind: 'integer',
    placeholder: '<number>',
    minimum: Number.MIN_SAFE_INTEGER,
    default: 1,
    defaultText: '1; with --vary a new one each time, which is printed',
    help: 'Generated ids depend on this number, and with --vary the choices too. With --clock, two runs give identical responses',
  },
  latency: {
    kind: 'text',
    placeholder: '<ms>[-<ms>]',
    help: 'Delay every call by this time, in milliseconds, or by a random time between two. A reset returns to it',
  },
  vary: {
    kind: 'text',
    values: ['hidden', 'visible'],
    bare: 'visible',
    help: 'Make random legal choices, from the random seed. hidden: only at open points that a correct client never notices. visible, the default: at all open points. Open points set by --profile and --set keep their choice',
  },
  openKeys: {
    kind: 'switch',
    help: 'Give each unknown API key a sandbox of its own: a fresh copy of the first organization of the seed',
  },
  maxSandboxes: {
    kind: 'integer',
    placeholder: '<number>',
    minimum: 1,
    maximum: 1_000_000,
    default: 1_000,
    help: 'Maximum number of sandboxes. A further one replaces the sandbox that was idle longest; first those never written to',
  },
  adminToken: {
    kind: 'text',
    placeholder: '<token>',
    secret: '<token>',
    help: 'Bearer token for the control plane. Without a token, the admin API is open on loopback addresses only',
  },
  adminOrigins: {
    name: 'admin-origin',
    kind: 'text',
    placeholder: '<origin>',
    isRepeatable: true,
    help: 'Let pages of this origin use the admin API, for example http://localhost:5173',
  },
  admin: {
    kind: 'switch',
    sets: false,
    contradicts: ['adminToken', 'adminOrigins'],
    help: 'Turn the admin API off',
  },
  requestLogLimit: {
    kind: 'integer',
    placeholder: '<number>',
    maximum: 1_000_000,
    default: 1_000,
    help: 'Maximum number of exchanges in the request log; 0 turns it off',
  },
  https: {
    kind: 'switch',
    contradicts: ['httpsCert', 'httpsKey'],
    help: 'Serve https with a certificate made at the start, for localhost, 127.0.0.1, ::1 and --host. Clients have to be told to trust it',
  },
  httpsWriteCert: {
    kind: 'text',
    placeholder: '<file>',
    help: 'With --https, write the certificate to this PEM file, for clients to trust: NODE_EXTRA_CA_CERTS=<file>, curl --cacert <file>',
  },
  httpsCert: {
    kind: 'text',
    placeholder: '<file>',
    help: 'Serve https with this certificate, a PEM file; needs --https-key',
  },
  httpsKey: { kind: 'text', placeholder: '<file>', help: 'The key of the certificate, a PEM file' },
  cors: {
    kind: 'switch',
    sets: false,
    help: 'Do not allow calls from pages of other origins. By default pages of this machine may call; --set cors=any lets all',
  },
  openPointsHeader: {
    kind: 'switch',
    sets: false,
    help: 'Omit the response header X-Open-Points, which names the open points that shaped the response',
  },
});

type PropertyType = 'string' | 'null' | 'number' | 'object' | 'boolean' | 'Date' | 'function';

/** The types of those options of a library function that take more than the flag of the command, or have no flag. */
export type MoreTypes = Readonly<Record<string, readonly PropertyType[]>>;

/** Of the options that every mock has, wherever it runs. */
export const valueTypes: MoreTypes = {
  ...{ seed: ['string', 'object'], profile: ['string', 'object'], set: ['object'] },
  ...{ latency: ['number', 'object', 'string'], clock: ['string', 'Date'] },
  ...{ onExchange: ['function'], onUnexpected: ['function'] },
};

/**
 * Throws a {@link StartError} (`OPTION_INVALID`) that lists all options that do not exist, have a wrong value or contradict
 * each other.
 */
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
