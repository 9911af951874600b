import { describe, expect, it } from 'vitest';
import { withoutReferences } from '../../openapi/contract/profile.ts';
import { leftOutFields } from '../../openapi/points/fields.ts';
import { leftOutOfPagination } from '../../openapi/points/lists.ts';
import type { Learned } from '../../openapi/reading/learned.ts';
import { type LegalServer, legalProfiles } from '../../proof/power/legal-servers.ts';
import { oddLegalServers } from '../../proof/power/odd-legal-servers.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';
import type { Profile } from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/create-proxy.ts';
import { sideOf } from '../../src/proxy/exchange.ts';
import { sampleOf } from '../support/depth.ts';
import { fixturesOf } from '../support/fixtures.ts';
import { startProxy, violationsIn } from '../support/proxied.ts';
import { type Subjects, sendTraffic, subjectsOf } from '../support/scripted-traffic.ts';

// Whatever a server may legally do, nothing is said against it; and what it is seen to choose is what it chose.

const clock = '2026-11-01T09:00:00Z';

interface Seen {
  /** What was said against the server, with the exchange. */
  alarms: string[];
  learned: Learned;
}

async function lookAt(upstream: string, subjects: Subjects, options: Partial<ProxyOptions> = {}): Promise<Seen> {
  const { proxy, close } = await startProxy({ upstream, allTraffic: true, ...options });
  try {
    // What every file and every server looks like is the business of other tests.
    const few = { ...subjects, others: subjects.others?.slice(-1), mcpServers: subjects.mcpServers.slice(0, 1) };
    const exchanged = await sendTraffic(proxy.url, few);
    const alarms = exchanged.flatMap(({ line, answer }) =>
      violationsIn(answer.headers['sl-violations'])
        .filter((violation) => sideOf(violation) === 'server')
        .map(({ severity, message }) => `${severity} ${message}: ${line}`),
    );
    return { alarms, learned: proxy.summary().learned };
  } finally {
    await close();
  }
}

/** What a proxy says of a mock that uses a profile, and all that this profile comes to. */
async function lookAtProfile(
  server: LegalServer,
  options: Partial<ProxyOptions> = {},
): Promise<Seen & { profile: Profile }> {
  // Ids depend on the time, and the order that means nothing on ids: here both are the same in each run.
  const running = await startMutant(server, { clock });
  try {
    const { mock, baseUrl } = running;
    const subjects = subjectsOf(mock, fixturesOf(mock));
    return { ...(await lookAt(baseUrl, subjects, options)), profile: withoutReferences(mock.profile) };
  } finally {
    await running.close();
  }
}

const servers = legalProfiles();

// That these fields are there, and are not null, is a should: the proxy warns where a profile does otherwise.
function isOfProfile(alarm: string, { optionalFields, paginationFields, missingValues }: Profile): boolean {
  if (missingValues === 'asNull' && /^Warning Response body: \w+ should be omitted, not null/.test(alarm)) return true;
  const [, name = ''] = /^Warning Response body: (\w+) should be present/.exec(alarm) ?? [];
  const leftOut: readonly string[] = leftOutOfPagination[paginationFields];
  return leftOutFields(optionalFields).has(name) || leftOut.includes(name);
}

describe('proxy in front of a legal server', () => {
  it.each(sampleOf(servers, 2).map((server) => [server.id, server] as const))(
    'reports nothing against %s and learns its choices',
    async (_, server) => {
      const { alarms, learned, profile } = await lookAtProfile(server);
      expect(alarms.filter((alarm) => !isOfProfile(alarm, profile))).toEqual([]);
      expect(profile).toMatchObject(learned.observed);
      expect(learned.unclear).toEqual({});
      expect(Object.keys(learned.observed).length).toBeGreaterThan(25);
    },
  );

  const applied = servers.filter(({ id }) => /^(pairwise-|last-|second-)/.test(id));
  it.each(sampleOf(applied, 1).map((server) => [server.id, server] as const))(
    'reports nothing against %s judged by its own profile',
    async (_, server) => {
      expect((await lookAtProfile(server, { profile: server.profile })).alarms).toEqual([]);
    },
  );

  const plain = oddLegalServers.filter(({ mayWarn }) => mayWarn.length === 0);
  it.each(sampleOf(plain, 1).map((server) => [server.id, server] as const))(
    'reports nothing against %s, which no profile describes',
    async (_, server) => {
      const running = await server.start();
      const { mock, baseUrl, fixtures } = running;
      const { alarms } = await lookAt(baseUrl, subjectsOf(mock, fixtures));
      await running.close();
      expect(alarms).toEqual([]);
    },
  );
});

describe('profile learned by the proxy', () => {
  it.each(sampleOf(['pairwise-2', 'pairwise-7', 'last-of-all'], 1))(
    'is learned again from a mock that uses it: %s',
    async (id) => {
      const server = servers.find((each) => each.id === id);
      if (server === undefined) throw new Error(`there is no server ${id}`);
      const first = (await lookAtProfile(server)).learned.observed;
      const second = (await lookAtProfile({ id: 'learned', profile: first })).learned.observed;
      expect(second).toMatchObject(first);
    },
  );

  it('covers the expected open points', async () => {
    const { learned } = await lookAtProfile({ id: 'refusing', profile: { 'duplicates.names': 'refused' } });
    const expected = `answerMediaType errorStatus.conflict successStatus.createMcpServer successStatus.createDrive pagingDefaults.limit pagingDefaults.offset successStatus.deleteDriveTree
      duplicates.names errorBody extraFields idFormat errorStatus.invalidBody errorStatus.invalidInput errorStatus.invalidPath keyOrder
      listOrder errorStatus.malformedJson oddPaging.malformed mcpDefaultType mediaTypeRules metadataShape missingValues
      errorStatus.notFound optionalFields oddPaging.outOfRange paginationFields publishBody successStatus.publishAgentRevision rateLimits successStatus.getDriveFile successStatus.listDrives
      requiredFields.createDrive timestamps.precision timestamps.zone totalMeaning treePathParameter unknownInput.bodyFields
      unknownInput.queryParameters errorStatus.unsupportedMediaType successStatus.updateDriveFile wrongBodyTypes wwwAuthenticate`;
    expect(Object.keys(learned.observed).sort()).toEqual(expected.split(/\s+/).sort());
  });
});
