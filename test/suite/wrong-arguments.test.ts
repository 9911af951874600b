import { describe, expect, it } from 'vitest';
import { diagnose, resolveSettings, runSuite, SuiteError, toSettings } from '../../conformance/index.ts';

// What a caller without types may pass: the error names the argument, and is one of the catalogue.

const settings = toSettings({ baseUrl: 'http://127.0.0.1:9/v0.1', apiKey: 'k' });
const wrong: unknown[] = [undefined, null, 5, 'x', [], new Map(), new URL('http://a.test')];
const calls: Record<string, (value: unknown) => unknown> = {
  toSettings: (value) => toSettings(value as never),
  'resolveSettings, first': (value) => resolveSettings(value as never, {}),
  'resolveSettings, second': (value) => resolveSettings({}, value as never),
  'runSuite, first': (value) => runSuite(value as never, { tool: 'test' }),
  'runSuite, second': (value) => runSuite(settings, value as never),
  diagnose: (value) => diagnose(value as never, 'test'),
};

describe.each(Object.entries(calls))('%s', (_, call) => {
  it.each(wrong)('refuses %s with an error that says what it must be', async (value) => {
    const error = await (async () => call(value))().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SuiteError);
    expect(error).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(/must be a plain object\./) });
  });
});

it.each([
  [() => toSettings({} as never), 'The config must have baseUrl and apiKey.'],
  [
    () => runSuite({} as never, { tool: 'test' }),
    'settings must come from toSettings(config), which adds the defaults.',
  ],
  [() => runSuite(settings, {} as never), 'tool must be a string.'],
  [() => runSuite(settings, { tool: 't', only: 'listAgents.*' as never }), 'only must be a list of strings.'],
  [() => runSuite(settings, { tool: 't', skip: [5] as never }), 'skip must be a list of strings.'],
  [() => runSuite(settings, { tool: 't', onResult: 'x' as never }), 'onResult must be a function.'],
  [() => runSuite(settings, { tool: 't', signal: 'x' as never }), 'signal must be an AbortSignal.'],
  [() => runSuite(settings, { tool: 't', expectedFailures: 'x.yaml' as never }), 'expectedFailures must be a list.'],
])('says what is missing: %#', async (call, message) => {
  await expect((async () => call())()).rejects.toMatchObject({ code: 'OPTION_INVALID', message });
});
