import { describe, expect, it } from 'vitest';
import { parseRequired } from '../../conformance/config/choices.ts';
import { type Config, toSettings } from '../../conformance/config/settings.ts';
import type { RequiredChoice } from '../../conformance/report.ts';
import { isMet, judgeChoices, unmetChoices } from '../../conformance/required-choices.ts';
import type { Choice } from '../../openapi/contract/open-points.ts';
import { createFolder } from '../support/folder.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';

type Choices = Record<string, Choice>;

/** What became of the choices that a run requires. */
function judged(require: Choices, observed: Choices, config: Partial<Config> = {}): RequiredChoice[] | undefined {
  const settings = toSettings({ baseUrl: 'http://target.test/v0.1', apiKey: 'key-a', require, ...config });
  return judgeChoices(settings, { observed }).requiredChoices;
}

const writes = { allowWrites: true };
const deletes = { ...writes, allowDestructive: true };
const deletesTrees = { ...deletes, openPoints: { treePathParameter: 'path' } };

describe('--require', () => {
  const { write } = createFolder('choices');
  const refusal = (...values: string[]) => {
    const { code, message } = suiteErrorOf(() => parseRequired(values));
    return `${code}: ${message}`;
  };

  it('takes choices, and the choices of profiles as far as they can be seen', () => {
    expect(parseRequired([])).toEqual({});
    expect(parseRequired(['createStatus=201', 'listOrder=byName'])).toEqual({ createStatus: 201, listOrder: 'byName' });
    const profile = write('profile.yaml', 'createStatus: 200\nsizeUnit: kilobytes\nreadStatus: 200\n');
    expect(parseRequired([profile, 'createStatus=201'])).toEqual({ createStatus: 201, readStatus: 200 });
  });

  it('refuses what is no choice, and what nobody can see', () => {
    for (const [value, message] of [
      ['createStatus=404', /^OPTION_INVALID: --require createStatus=404: 404 is not a choice of createStatus; legal: /],
      ['sizeUnit=bytes', /^OPTION_INVALID: --require sizeUnit=bytes: cannot be seen from outside\. No operation/],
      [`createStatus=${'9'.repeat(1_000)}`, /^OPTION_INVALID: --require createStatus=9{100,200}…: /],
      // In a profile, with the place.
      [
        write('wrong.yaml', 'readStatus: 200\ncreateStatus: 404\n'),
        /^CONFIG_INVALID: \S*wrong\.yaml:2:\d+ createStatus /,
      ],
      [write('list.yaml', '- a\n'), /^CONFIG_INVALID: \S*list\.yaml:1:1 /],
      ['no-such-file.yaml', /^FILE_UNREADABLE: /],
    ] as const)
      expect(refusal(value)).toMatch(message);
  });
});

describe('a required choice', () => {
  it('that was seen is told beside the other one, whatever the settings', () => {
    expect(judged({ createStatus: 201, readStatus: 200 }, { createStatus: 200, readStatus: 200 })).toEqual([
      { openPoint: 'createStatus', required: 201, seen: 200 },
      { openPoint: 'readStatus', required: 200, seen: 200 },
    ]);
    expect(judged({}, { createStatus: 200 })).toBeUndefined();
  });

  it.each<[string, Choice, Partial<Config>, string | undefined]>([
    ['createStatus', 201, {}, '--allow-writes'],
    ['createStatus', 201, writes, undefined],
    ['updateStatus', 200, {}, '--allow-writes'],
    ['updateStatus', 200, writes, undefined],
    ['deleteStatus', 200, {}, '--allow-writes'],
    ['deleteStatus', 200, writes, '--allow-destructive'],
    ['deleteStatus', 200, deletes, 'openPoints.treePathParameter'],
    ['deleteStatus', 200, deletesTrees, undefined],
    ['errorBody', 'problem', {}, undefined],
    ['treePathParameter', 'path', writes, '--allow-destructive'],
  ])(
    '%s that was not seen names the permission that is missing: %j with %j needs %s',
    (id, choice, config, setting) => {
      const reason = setting === undefined ? {} : { reason: `It needs ${setting}.` };
      expect(judged({ [id]: choice }, { toString: 1 }, config)).toEqual([
        { openPoint: id, required: choice, ...reason },
      ]);
    },
  );

  it('that stands for the one at another open point is that one: the required one, or else the one seen', () => {
    const server = (require: Choices, observed: Choices) => judged(require, observed)?.map(({ required }) => required);
    expect(server({ createServerStatus: 'createStatus' }, { createStatus: 202 })).toEqual([202]);
    expect(server({ createServerStatus: 'createStatus', createStatus: 201 }, { createStatus: 202 })).toEqual([
      201, 201,
    ]);
    expect(server({ createServerStatus: 'createStatus' }, {})).toEqual(['createStatus']);
  });

  it('is met by the same choice only', () => {
    const [met, other, unseen] = [
      { openPoint: 'a', required: 201, seen: 201 },
      { openPoint: 'b', required: 201, seen: 'other' },
      { openPoint: 'c', required: 201 },
    ];
    expect([met, other, unseen].map(isMet)).toEqual([true, false, false]);
    expect(unmetChoices({ requiredChoices: [met, other, unseen] })).toEqual([other, unseen]);
    expect(unmetChoices({})).toEqual([]);
  });
});
