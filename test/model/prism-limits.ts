import { contractFor, createMock, defaultProfile, loadOpenPoints, type Profile } from '../../src/index.ts';
import type { Call } from './call.ts';
import { type Disagreement, disagreementsOn } from './disagreements.ts';
import { judge } from './judge.ts';
import { createPicture } from './picture.ts';
import { createPrismOpinion } from './prism-opinion.ts';
import { now, seed } from './seed.ts';
import { createWire } from './wire.ts';

/** The choices of a profile, and one call on which Prism and the mock disagree in it. */
export interface Example {
  choices: Partial<Profile>;
  call: Call;
}

const key = { 'x-api-key': 'alpha-key' };
const json = { ...key, 'content-type': 'application/json' };
const listDrives: Call = { operationId: 'listDrives', params: {}, query: [], headers: key };
const listAgents: Call = { operationId: 'listAgents', params: {}, query: [], headers: key };
const createDrive: Call = { operationId: 'createDrive', params: {}, query: [], headers: json, body: '{"name":"new"}' };
const deleteTree = (name: string, path: string): Call => ({
  operationId: 'deleteDriveTree',
  params: { driveId: 'drive-two' },
  query: [[name, path]],
  headers: key,
});

/** The smallest example of each kind of disagreement: should one of them no longer hold, Prism has learnt something. */
export const smallestExamples: Record<Exclude<Disagreement, 'emptyBody' | 'nullBody'>, Example> = {
  unknownParameter: {
    choices: { unknownQueryParameters: 'refused' },
    call: { ...listAgents, query: [['colour', 'red']] },
  },
  bodyTooLarge: { choices: { bodySizeLimit: 4096 }, call: { ...createDrive, body: '{"name":"new"}'.padEnd(4097) } },
  dependsOnState: { choices: { treePathIsFile: 'refused' }, call: deleteTree('path', '/readme.txt') },
  emptyValue: { choices: {}, call: { ...listDrives, query: [['limit', '']] } },
  suffixedType: {
    choices: {},
    call: { ...createDrive, headers: { ...key, 'content-type': 'application/merge-patch+json' } },
  },
  lenientType: {
    choices: { mediaTypeRules: 'lenient' },
    call: { ...createDrive, headers: { ...key, 'content-type': 'text/plain' } },
  },
  ignoredValue: { choices: { malformedPaging: 'ignored' }, call: { ...listDrives, query: [['limit', 'ten']] } },
  repeatedValue: {
    choices: { repeatedPaging: 'last' },
    call: {
      ...listDrives,
      query: [
        ['offset', '0'],
        ['offset', '1'],
      ],
    },
  },
  caseOfName: {
    choices: {},
    call: {
      ...listDrives,
      query: [
        ['limit', '1'],
        ['Limit', 'x'],
      ],
    },
  },
  inheritedName: { choices: { treePathParameter: 'constructor' }, call: deleteTree('constructor', 'docs') },
  caseOfBearer: { choices: {}, call: { ...listAgents, headers: { authorization: 'bearer alpha-key' } } },
};

/** The kinds of disagreement that an example shows on a mock of its own. */
export async function disagreementsIn({ choices, call }: Example): Promise<string[]> {
  const profile = { ...defaultProfile(loadOpenPoints()), ...choices };
  const mock = await createMock({ port: 0, seed, profile, clock: now });
  const wire = createWire(mock.url);
  try {
    const answer = await wire.send(call);
    const outcome = judge(call, answer, createPicture(seed.organizations, profile));
    const ask = await createPrismOpinion(contractFor(profile));
    return disagreementsOn({ call, answer, outcome }, await ask(call, answer), profile);
  } finally {
    wire.close();
    await mock.close();
  }
}
