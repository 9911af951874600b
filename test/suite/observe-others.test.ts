import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Config, type Settings, toSettings } from '../../conformance/run/settings.ts';
import { SuiteError } from '../../conformance/run/suite-error.ts';
import { byClock } from '../../conformance/target/clock.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import { type DegenerateServer, degenerateServers } from '../../proof/power/degenerate-servers.ts';
import { shape } from '../../proof/power/mutants/shape.ts';
import { wire } from '../../proof/power/mutants/wire.ts';
import type { Variant } from '../../proof/power/second-server/choices.ts';
import { startSecondServer } from '../../proof/power/second-server/start.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';
import { hasJustRun, isFull, sampleOf } from '../support/depth.ts';
import { observeTarget, tool, withMock } from '../support/observed-mock.ts';
import { timeLimit } from '../support/time-limit.ts';
import { createWaitingClock } from '../support/waiting-clock.ts';

const everything = { allowWrites: true, allowDestructive: true };

async function observeSecond(variant: Variant) {
  const server = await startSecondServer({ variant, settleMs: variant === 'odd' ? 150 : 0 });
  const { baseUrl, apiKey, otherApiKey, agent, files, disposableFiles, mcpServer, treePathParameter } = server;
  const fixtures = { agent, files: [...files], disposableFiles: [...disposableFiles], mcpServer: { id: mcpServer.id } };
  const access = { baseUrl, apiKey, otherApiKey, ...everything, settleMs: 1_000 };
  const settings = toSettings({ ...access, fixtures, openPoints: { treePathParameter } });
  try {
    const { observed, samples } = await observeTarget(settings, tool);
    return { observed, samples };
  } finally {
    await server.close();
  }
}

/** The cases of an open point, by their full names. */
const casesOf = (point: string, choices: Record<string, Choice>) =>
  Object.fromEntries(Object.entries(choices).map(([name, choice]) => [`${point}.${name}`, choice]));

// What stands at the head of its `start.ts`.
describe.skipIf(hasJustRun)('observing the second server', () => {
  it('sees the documented choices of the plain variant', async () => {
    const { observed, samples } = await observeSecond('plain');
    expect(observed).toMatchObject({
      ...casesOf('errorStatus', { invalidInput: 400, malformedJson: 400, unsupportedMediaType: 415 }),
      ...{ 'successStatus.createDrive': 201, 'countsAsUpdate.publish': 'touched', 'pagingDefaults.limit': 20 },
      ...{ 'requiredFields.createDrive': 'all', 'unknownInput.bodyFields': 'ignored', listOrder: 'oldestFirst' },
      ...{ nameRules: 'anyString', mcpUrlRules: 'anyString', idFormat: 'uuid', 'treePath.file': 'likeMissing' },
      ...{ readAfterWrite: 'immediate', treeDeletion: 'immediate' },
    });
    expect(Object.keys(samples).sort()).toEqual(['bothAuthHeaders', 'errorBody', 'publishBody']);
    expect(samples.bothAuthHeaders).toBe('either valid key is enough');
  });

  it('sees the documented choices of the odd variant', async () => {
    const { observed, samples } = await observeSecond('odd');
    expect(observed).toMatchObject({
      ...casesOf('successStatus', { publishAgentRevision: 202, getDriveFile: 203, updateDriveFile: 201 }),
      ...casesOf('successStatus', { deleteDriveTree: 201, createDrive: 202, createMcpServer: 200 }),
      // One code for each cause.
      ...casesOf('errorStatus', { invalidInput: 416, invalidPath: 403, invalidBody: 409, conflict: 423 }),
      ...casesOf('errorStatus', { notFound: 410, driveNotFound: 403, agentNotFound: 410, unknownRevision: 403 }),
      ...casesOf('timestamps', { precision: 'microseconds', zone: '+00:00' }),
      ...casesOf('countsAsUpdate', { move: 'kept', publish: 'kept' }),
      ...{ 'requiredFields.createDrive': 'none', mediaTypeRules: 'lenient', 'treePath.missing': 'emptyJob' },
      ...{ listOrder: 'arbitrary', 'pagingDefaults.limit': 7, keyOrder: 'reversed', extraFields: 'some' },
      ...{ readAfterWrite: 'lagging', treeDeletion: 'asynchronous', fileStatusFlow: 'reprocessedOnMove' },
      ...{ republish: 'refused', mcpDefaultType: 'sse', bodySizeLimit: 1_048_576, treePathParameter: 'Q.folder-1' },
    });
    expect(samples).toMatchObject({
      nameRules: 'empty: kept, blank: trimmed, wide: trimmed, long: kept',
      pathConflict: 'accepted, and both files are there',
    });
  });
});

describe('observing a mutant', () => {
  it.runIf(isFull).each(sampleOf([...shape, ...wire], 1))('sees at least 35 open points of $id', async (mutant) => {
    const running = await startMutant(mutant);
    const { observed } = await withMock({}, ({ settings }) => {
      const hurried: Settings = {
        ...settings,
        baseUrl: running.baseUrl,
        settleMs: timeLimit(300),
        timeoutMs: timeLimit(300),
      };
      return observeTarget(hurried, tool);
    });
    expect(Object.keys(observed).length).toBeGreaterThanOrEqual(35);
    await running.close();
  });
});

/** Anything may be missing from what such a server answers. */
async function observeDegenerate({ start }: DegenerateServer, key: string): Promise<string> {
  const running = await start();
  const file = (id: string) => ({ driveId: 'd', id });
  const config: Config & { baseUrl: string; apiKey: string } = {
    ...{ baseUrl: running.baseUrl, apiKey: key, otherApiKey: `${key}-of-another`, ...everything },
    fixtures: {
      ...{ agent: { id: 'a', revisionId: 'r' }, files: [file('f')], disposableFiles: [file('g'), file('h')] },
      mcpServer: { id: 'm' },
    },
    ...{ openPoints: { treePathParameter: 'path' }, settleMs: 100, timeoutMs: 200 },
  };
  try {
    const { observed, samples, session } = await byClock(createWaitingClock(), () =>
      observeTarget(toSettings(config), tool),
    );
    return JSON.stringify([observed, samples, session.receipt.all()]);
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    return error.message;
  } finally {
    await running.close();
  }
}

describe('observing a degenerate server', () => {
  it.each(sampleOf(degenerateServers, 1))('ends without showing a key: $id', async (server) => {
    const key = `key-${randomBytes(12).toString('hex')}`;
    expect(await observeDegenerate(server, key)).not.toContain(key);
  });
});
