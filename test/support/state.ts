import type { Mock } from '../../src/index.ts';
import { exchange, type RawRequest, toBytes } from './raw-http.ts';

/** Names for ids, such as `drive` for the first drive of the first key, to fill into `{drive}`. */
export type Places = Readonly<Record<string, string>>;

type Organization = NonNullable<ReturnType<Mock['engine']['store']['organizationOf']>>;

/** The state of a mock as its clients see it: the responses to GETs with every key, for everything known now. */
export function createStateReader(mock: Mock, keys: readonly string[] = mock.keys): () => Promise<string> {
  const { pathname } = new URL(mock.url);
  const requests = keys.flatMap((key) =>
    pathsOf(organizationOf(mock, key)).map((path) => ({
      method: 'GET',
      target: pathname + path,
      lines: [`X-API-Key: ${key}`],
    })),
  );
  return () => read(mock, requests);
}

// All together on one connection, since this runs after every single bad input.
async function read(mock: Mock, requests: readonly RawRequest[]): Promise<string> {
  const methods = requests.map(({ method }) => method);
  const { answers } = await exchange(mock.url, Buffer.concat(requests.map(toBytes)), { methods });
  const told = requests.map(({ target, lines }, index) => {
    const { status, body } = answers[index] ?? { status: 0, body: '' };
    return `${lines} ${target} ${status} ${body}`;
  });
  return told.join('\n');
}

function pathsOf(organization: Organization): string[] {
  const drives = [...organization.drivesById.keys()];
  const servers = [...organization.mcpServersById.keys()];
  return [
    '/agents',
    '/drives?limit=100&offset=0',
    '/mcp-servers',
    ...drives.flatMap((drive) => filesOf(organization, drive).map((file) => `/drives/${drive}/files/${file}`)),
    ...servers.map((server) => `/mcp-servers/${server}/tools`),
  ];
}

/** Ids in the initial state. Names for the organization of the second key begin with `foreign`. */
export function placesOf(mock: Mock): Places {
  const [first, second] = mock.keys.map((key) => organizationOf(mock, key)) as [Organization, Organization];
  const own = idsOf(first);
  const [, otherDrive = ''] = first.drivesById.keys();
  const foreign = Object.entries(idsOf(second)).map(([name, id]) => [`foreign-${name}`, id]);
  const [, , , blank = ''] = first.agentsById.keys();
  return {
    ...own,
    ...Object.fromEntries(foreign),
    'other-drive': otherDrive,
    'blank-agent': blank,
    'encoded-server': own.server.replaceAll('-', '%2D'),
  };
}

/** A text with ids in place of `{name}`. */
export function fill(text: string, places: Places): string {
  return text.replaceAll(/\{([a-z-]+)\}/g, (whole, name: string) => places[name] ?? whole);
}

/** A request with ids filled into its target and text. */
export function fillRequest(request: RawRequest, places: Places): RawRequest {
  const body = typeof request.body === 'string' ? { body: fill(request.body, places) } : {};
  return { ...request, target: fill(request.target, places), ...body };
}

function idsOf(organization: Organization) {
  const [drive = ''] = organization.drivesById.keys();
  const [file = ''] = filesOf(organization, drive);
  const [agent] = organization.agentsById.values();
  const [server = ''] = organization.mcpServersById.keys();
  return { drive, file, server, agent: agent?.id ?? '', revision: agent?.revisions[0]?.id ?? '' };
}

function filesOf(organization: Organization, drive: string): string[] {
  return organization
    .filesOf(drive)
    .under('/')
    .below.map((file) => file.id);
}

function organizationOf(mock: Mock, key: string): Organization {
  const organization = mock.engine.store.organizationOf(key);
  if (organization === undefined) throw new Error(`The mock does not know the key ${key}.`);
  return organization;
}
