import { describe, expect, it } from 'vitest';
import { needs } from '../../conformance/run/needs.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { Inconclusive, inconclusiveCodes, reasonOf, wordsOf } from '../../conformance/run/signals.ts';
import { say } from '../../lib/sentence.ts';

const common = { baseUrl: 'http://127.0.0.1:4010/v0.1', apiKey: 'key-a' };
const nothing = toSettings(common);
const everything = toSettings({
  ...common,
  ...{ otherApiKey: 'key-b', allowWrites: true, allowDestructive: true, hostMcpUrl: 'http://127.0.0.1:4011' },
  openPoints: { treePathParameter: 'path' },
  fixtures: {
    agent: { id: 'a', revisionId: 'r' },
    files: [{ driveId: 'd', id: 'f' }],
    disposableFiles: [{ driveId: 'd', id: 'g' }],
    mcpServer: { id: 'm', unknownId: 'n' },
  },
});
const ofSettings = Object.values(needs).filter(({ isMet }) => !isMet(nothing));
const settingNames = new Set(ofSettings.map(({ setting }) => setting));
const error = (code: (typeof inconclusiveCodes)[number]) => new Inconclusive(code, say`Not now.`);

describe('a reason why a check was not judged', () => {
  it.each(inconclusiveCodes)('%s never names a setting that was given', (code) => {
    const { outcome, words } = reasonOf(error(code), everything);
    expect(settingNames).not.toContain(words);
    expect(words).not.toMatch(/^(--|otherApiKey$|fixtures\.\w+$|openPoints)/);
    expect(outcome).toMatch(/^(not-enabled|inconclusive|skipped)$/);
  });

  it.each(inconclusiveCodes)('%s names its setting where that is missing, and the next one where it is not', (code) => {
    const missing = reasonOf(error(code), nothing, '--host-mcp-server');
    const isSetting = settingNames.has(wordsOf(code)) || /^(--|fixtures\.)/.test(wordsOf(code));
    expect(missing.words).toBe(wordsOf(code));
    expect(missing.outcome === 'not-enabled').toBe(isSetting || code === 'DATA');
    const next = reasonOf(error(code), everything, '--host-mcp-server').words;
    expect(next).toBe(isSetting ? '--host-mcp-server' : wordsOf(code));
  });

  it('is what came in place of a response, if that is known, wherever the check was enabled', () => {
    const busy = (code: (typeof inconclusiveCodes)[number]) => Object.assign(error(code), { obstacle: 'status 429' });
    for (const code of ['TARGET', 'PREREQUISITE', 'FIXTURE'] as const) {
      expect(reasonOf(busy(code), everything)).toEqual({ outcome: 'inconclusive', words: 'status 429' });
    }
  });
});
