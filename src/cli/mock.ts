import { statSync } from 'node:fs';
import type { Values } from '../../lib/options.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { columns, nameList, plural, quoted } from '../../lib/text.ts';
import { dereference } from '../../openapi/contract/document.ts';
import type { Operation } from '../../openapi/contract/operations.ts';
import { differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import { keyHeaders } from '../../openapi/contract/security.ts';
import { storedPoints } from '../../openapi/points/index.ts';
import { impactWords } from '../app/draw-profile.ts';
import { StartError } from '../app/start-error.ts';
import type { Organization } from '../domain/organizations.ts';
import { createMock, loadInUse, type MockOptions } from '../http/create-mock.ts';
import { loadChoices, loadProfile, loadSeed } from '../http/load-settings.ts';
import type { Mock } from '../http/mock-handle.ts';
import { type LiveMcpOptions, mockFlags } from '../options/mock-options.ts';
import { createLog, isPretty, type Log } from './log.ts';
import { pageAddress } from './page-address.ts';
import { parseChoices } from './parse-choices.ts';
import { optionWords, readOptions, UsageError } from './read-options.ts';
import { type Terminal, wantsColor } from './terminal.ts';
import { digestOf, watchFile } from './watch-file.ts';

/** `agent-platform-contract mock`: listens until it is stopped. Returns the exit code. */
export async function runMock(args: readonly string[], terminal: Terminal): Promise<number> {
  terminal.waitForNoReader();
  const values = readOptions(mockFlags, args, terminal);
  const asked = toMockOptions(values);
  const options = values.watch === true ? asked : readOnce(asked);
  const files = values.watch === true ? reloadablesOf(options) : [];
  const log = createLog(values, terminal);
  const { exchange, unexpected } = log;
  // The error that stops the mock is reported at its end.
  const onUnexpected = (error: unknown) => {
    if (!(error instanceof StartError && error.code === 'STATE_LOST')) unexpected(error);
  };
  const mock = await createMock({ ...options, ref: true, ...(exchange && { onExchange: exchange }), onUnexpected });
  const drawn = drawnProfile(args, options, mock);
  if (isPretty(values, terminal)) {
    const paint = painter(wantsColor(values, terminal));
    const watched = files.map(({ file }) => file);
    terminal.write(banner(mock, values, watched, paint));
    if (drawn !== undefined) terminal.write(describe(drawn, paint));
  }
  const { randomSeed } = mock.engine.runtime;
  log.listening({ url: mock.url, page: pageAddress(mock.url, '/'), randomSeed, ...drawn });
  noteState(mock, values, options, log);
  if (mock.adminUrl === undefined && values.admin !== false) log.note('warn', closedControl, {});
  const watching = new AbortController();
  watchReloadables(files, mock, log, watching.signal);
  // This may happen while it stops, since it saves last.
  let lost: StartError | undefined;
  const losing = mock.lost.then((error) => {
    lost = error;
  });
  await Promise.race([terminal.stopped(), losing]);
  watching.abort();
  await mock.close();
  log.close();
  if (lost !== undefined) throw lost;
  return 0;
}

function toMockOptions(values: Values<typeof mockFlags>): MockOptions {
  const { set, liveMcp, liveMcpAllow, liveMcpOrigins, liveMcpTimeout, ...others } = values;
  const { logFormat, logLevel, color, watch, ...rest } = others;
  const live = toLiveMcp(values);
  // The error of createMock names its options, not the flags.
  if ((values.httpsCert === undefined) !== (values.httpsKey === undefined)) {
    throw new UsageError('HTTPS needs a certificate and its key: give both --https-cert and --https-key.');
  }
  return { port: mockFlags.port.default, ...rest, set: parseChoices('set', set), ...(live && { liveMcp: live }) };
}

function toLiveMcp(values: Values<typeof mockFlags>): LiveMcpOptions | undefined {
  const { liveMcp, liveMcpAllow: allow, liveMcpOrigins: origins, liveMcpTimeout: timeoutMs } = values;
  if (liveMcp !== true) {
    const useless = (['liveMcpAllow', 'liveMcpOrigins', 'liveMcpTimeout'] as const).find((key) => key in values);
    if (useless === undefined) return undefined;
    throw new UsageError(`--${mockFlags[useless].name} has no effect without --live-mcp. Add --live-mcp.`);
  }
  return { ...(allow && { allow }), ...(origins && { origins }), ...(timeoutMs && { timeoutMs }) };
}

/** The options, with the choices of the profile in place of its file: `--vary` compares with them later, and a pipe ends. */
function readOnce({ profile, ...options }: MockOptions): MockOptions {
  return profile === undefined ? options : { ...options, profile: loadChoices(profile) };
}

type DrawnProfile = NonNullable<ReturnType<typeof drawnProfile>>;

/** What `--vary` drew: the choices that differ from the base profile, and the command that replays them. */
function drawnProfile(args: readonly string[], { vary, profile, set }: MockOptions, mock: Mock) {
  if (vary === undefined) return undefined;
  const { randomSeed } = mock.engine.runtime;
  const secrets = Object.values(mockFlags).flatMap((option) => ('secret' in option ? [option.name] : []));
  const words = optionWords(mockFlags, args, ['vary', 'random-seed', ...secrets]);
  const replay = shownCommand('mock', [`--vary=${vary}`, `--random-seed ${randomSeed}`, ...words]);
  return { vary, randomSeed, choices: differingChoices(loadProfile(profile, set), mock.profile), replay };
}

function describe({ vary, randomSeed, choices, replay }: DrawnProfile, paint: Paint): string {
  const names = Object.entries(choices).map(([id, choice]) => `${id}=${choice}`);
  const count = names.length === 1 ? '1 choice differs' : `${names.length || 'No'} choices differ`;
  const title = paint('bold', `Profile drawn from random seed ${randomSeed} (${impactWords[vary]}).`);
  return [
    `  ${title} ${count} from the base profile${names.length === 0 ? '.' : ':'}`,
    ...nameList(names),
    `  Replay:    ${replay}`,
    '',
    '',
  ].join('\n');
}

const closedControl =
  'Other machines can reach this mock, so the admin API is closed except for /__admin/health; --admin-token opens it';

type BannerValues = Pick<Values<typeof mockFlags>, 'admin' | 'httpsCert'>;

/** What a user sees after startup: the addresses, what to try, and what the mock does not do. */
function banner(mock: Mock, values: BannerValues, watched: readonly string[], paint: Paint): string {
  const dim = (text: string) => paint('dim', text);
  const { url, adminUrl, engine } = mock;
  const { organizations } = engine.store;
  const keyOf = (owner: Organization) => mock.keys.find((key) => engine.store.organizationOf(key) === owner) ?? '';
  const keys = organizations.map((organization) => `${keyOf(organization)} ${dim(organization.name)}`);
  const trust = values.httpsCert === undefined ? '' : `--cacert ${quoted(values.httpsCert)} `;
  const control = adminUrl
    ? `${paint('address', adminUrl)} ${dim('reset, request log, sandboxes, faults')}`
    : dim(values.admin === false ? 'off' : 'closed');
  return [
    `${paint('bold', 'Agent Platform mock')} ${packageVersion()}`,
    '',
    ...columns([
      ['Base URL', paint('address', url)],
      [
        'UI',
        `${paint('address', pageAddress(url, '/'))} ${dim('send requests, watch traffic, edit state, inject faults')}`,
      ],
      ['API keys', keys.join(', ')],
      ['Contract', paint('address', `${new URL(url).origin}/openapi.json`)],
      ['Admin API', control],
    ]),
    '',
    `  Try it:  curl ${trust}-H ${quoted(`${keyHeaders[0]}: ${mock.key || '<key>'}`)} ${quoted(`${url}/drives?limit=2`)}`,
    '',
    ...engine.operations.map((operation) => `  ${operationLine(mock, operation, organizations[0], paint)}`),
    '',
    ...notes(mock, watched).map((note) => dim(`  ${note}`)),
    '',
    '',
  ].join('\n');
}

function notes(mock: Mock, watched: readonly string[]): string[] {
  const { engine, profile, state } = mock;
  return [
    ...(watched.length === 0 ? [] : [`Reloads ${watched.join(' and ')} on change (--watch).`]),
    ...(engine.sandboxes.rules.hasOpenKeys
      ? ['Each unknown API key gets its own sandbox, a fresh copy of the first organization.']
      : []),
    state === undefined
      ? 'State is in memory and lost when the mock stops; --state <file> keeps it. Ctrl+C stops the mock.'
      : `State is kept in ${state.file}. Ctrl+C stops the mock.`,
    ...(profile.toolsOfNewServer === 'live'
      ? ['The mock fetches tools from real MCP servers, on allowed hosts only (--live-mcp).']
      : []),
    'Where the specification says nothing, the mock uses a default; change it with --set <open point>=<choice>.',
  ];
}

function operationLine(mock: Mock, operation: Operation, organization: Organization | undefined, paint: Paint): string {
  const ids = organization === undefined ? {} : sampleIds(organization);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (template, name: string) => ids[name] ?? template);
  return `${operation.method.padEnd(6)} ${paint('address', mock.url + path)}${paint('dim', inputHint(mock, operation, ids))}`;
}

/** What a write takes besides its path: the example of the contract, with ids that exist. */
function inputHint(
  { engine: { contract } }: Mock,
  { isRead, parameters, definition }: Operation,
  ids: Record<string, string | undefined>,
): string {
  const query = parameters.find((parameter) => !isRead && parameter.in === 'query');
  if (query !== undefined) return `?${query.name}=/…`;
  const body = dereference(contract, definition.requestBody);
  const [example] = Object.values(body?.content['application/json']?.examples ?? {});
  if (example === undefined) return '';
  const { value = {} } = dereference<{ value?: object }>(contract, example);
  const fields = Object.entries(value).map(([field, shown]) => [field, ids[field] ?? shown]);
  return `  ${JSON.stringify(Object.fromEntries(fields))}`;
}

/** Ids in the initial state, for path templates and bodies. */
function sampleIds(organization: Organization): Record<string, string | undefined> {
  const drive = organization.drives.all().find(({ id }) => organization.filesOf(id).size > 0);
  const agent = organization.agents.all().find(({ revisions }) => revisions.length > 0);
  const server = organization.mcpServers.all().find(({ tools }) => tools.length > 0);
  return {
    agentId: agent?.id,
    revisionId: agent?.revisions.at(-1)?.id,
    driveId: drive?.id ?? organization.drives.page(0, 1)[0]?.id,
    fileId: drive === undefined ? undefined : organization.filesOf(drive.id).first()?.id,
    mcpServerId: server?.id,
  };
}

/** The options that a state file overrides. */
const ofFile = ['seed', 'randomSeed', 'clock'] as const;

/** Says at startup where the state is kept, and which options it overrides. */
function noteState(mock: Mock, values: Values<typeof mockFlags>, options: MockOptions, log: Log): void {
  if (mock.state === undefined) return;
  const { file, isContinued } = mock.state;
  const begin = isContinued ? `Resumes from the state in ${file}.` : `Keeps its state in the new file ${file}.`;
  const flags = ofFile.filter((key) => key in values).map((key) => `--${mockFlags[key].name}`);
  const idle = isContinued ? [...flags, ...overriddenChoices(mock, options)] : [];
  const ignored = idle.length === 0 ? '' : ` The file overrides ${idle.join(' and ')}.`;
  log.note(idle.length === 0 ? 'info' : 'warn', begin + ignored, { file });
}

/** The choices of `--set` that the admin API changed before the mock was stopped. The file of `--profile` may be a pipe: read once. */
function overriddenChoices({ profile: now }: Mock, { set }: MockOptions): string[] {
  const asked = Object.entries(loadChoices({}, set));
  return asked
    .filter(([id, choice]) => now[id as keyof Profile] !== choice)
    .map(([id, choice]) => `${id}=${choice}, which the admin API changed to ${now[id as keyof Profile]}`);
}

/** A file named in the options, and what to do when it changes. Returns what to log about it. */
interface Reloadable {
  readonly file: string;
  readonly digest: string | undefined;
  reload(mock: Mock): string;
}

/** The files named in the options, before the mock reads them. Throws a {@link UsageError} if there are none. */
function reloadablesOf(options: MockOptions): Reloadable[] {
  const { seed, profile } = options;
  const watched = (file: string, reload: (mock: Mock) => string) => {
    // Reading a pipe empties it, and it never changes.
    if (statSync(file, { throwIfNoEntry: false })?.isFIFO())
      throw new UsageError(say`--watch cannot watch ${file}, which is a pipe. Name a file.`);
    return { file, digest: digestOf(file), reload };
  };
  const found = [
    ...(typeof seed === 'string' && seed !== 'demo' ? [watched(seed, (mock) => reseed(mock, seed))] : []),
    ...(typeof profile === 'string' ? [watched(profile, (mock) => replay(mock, options))] : []),
  ];
  if (found.length > 0) return found;
  throw new UsageError('--watch needs a file to watch: --seed <file>, --profile <file> or both.');
}

/** Reloads files when they change, until the signal is aborted. A file with errors changes nothing. */
function watchReloadables(files: readonly Reloadable[], mock: Mock, log: Log, signal: AbortSignal): void {
  for (const { file, digest, reload } of files) {
    const note = (level: 'info' | 'warn' | 'error', message: string) => log.note(level, message, { file });
    const changed = () => {
      try {
        note('info', `${file} changed. ${reload(mock)}`);
      } catch (error) {
        if (!(error instanceof StartError)) return log.unexpected(error);
        note('error', `${error.message}\nThe mock keeps using what it read before.`);
      }
    };
    const gone = () => note('warn', `${file} is gone. The mock keeps using what it read before.`);
    watchFile(file, digest, { changed, gone }, signal);
  }
}

/** Applies the profile of the options again. */
function replay(mock: Mock, options: MockOptions): string {
  const { engine } = mock;
  const { profile: before, randomSeed } = engine.runtime;
  const profile = loadInUse(options, randomSeed);
  const differing = differingChoices(before, profile);
  const names = Object.keys(differing);
  if (names.length === 0) return 'No choice changed.';
  mock.setProfile(differing);
  const choices = Object.entries(differing).map(([id, choice]) => `${id}=${choice}`);
  const own = engine.store.sandboxes.filter(({ ownProfile }) => ownProfile !== undefined).length;
  const late = names.filter((id) => [...storedPoints].some((one) => one === id));
  return [
    `Now in use: ${choices.join(', ')}. The state is kept.`,
    ...(late.length === 0 ? [] : [`Until a reset, only new data is affected by ${late.join(', ')}.`]),
    ...(own === 0 ? [] : [`Unchanged: ${plural(own, 'organization')} with a separate profile.`]),
  ].join(' ');
}

/** Reads the seed from the file again. */
function reseed({ engine, adminUrl }: Mock, file: string): string {
  const { renewed, kept, deleted } = engine.reseed(loadSeed(file));
  const resetAll = adminUrl === undefined ? 'Restart the mock' : `POST ${adminUrl}/reset`;
  const reset = adminUrl === undefined ? resetAll : `${resetAll}?organization=<id or name>`;
  return [
    renewed.length === 0 ? 'No organization uses the new seed yet.' : `Now on the new seed: ${listed(renewed)}.`,
    ...(kept.length === 0
      ? []
      : [`Not reloaded, because their data was changed: ${listed(kept)}. ${reset} to apply the new seed there too.`]),
    ...(deleted.length === 0 ? [] : [`Still deleted: ${listed(deleted)}. ${resetAll} to restore the whole seed.`]),
  ].join(' ');
}

const mostListed = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).join(', ');
  return names.length > mostListed ? `${shown} and ${names.length - mostListed} more` : shown;
}
