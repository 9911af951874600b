import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { withoutNeeds } from '../../openapi/points/open-point.ts';
import type { AnswerView, RequestView } from '../../openapi/reading/messages.ts';
import { Reading } from '../../openapi/reading/reading.ts';
import { observeMock } from '../../test/support/observed-mock.ts';
import { pairwiseProfiles } from '../power/legal-servers.ts';

// What the suite and mocks say to each other under some profiles, in which all choices occur. It is recorded once, without
// a fault, and read again with each fault.

export interface RecordedRun {
  id: string;
  profile: Partial<Profile>;
  exchanges: { operation: string; request: Omit<RequestView, 'operation'>; answer: AnswerView; line: string }[];
  /** The open points that are seen without a fault. */
  seen: string[];
}

const file = join(process.env.MUTATION_RECORDS ?? '', 'recorded-traffic.json');
let loaded: RecordedRun[] | undefined;

export const isRecorded = () => existsSync(file);

export async function recordedTraffic(): Promise<RecordedRun[]> {
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await record()));
  loaded ??= JSON.parse(readFileSync(file, 'utf8')) as RecordedRun[];
  return loaded;
}

/** What is read in a recorded run. */
export function readAgain({ exchanges }: RecordedRun): Reading {
  const operations = new Map<string, RequestView['operation']>(
    operationsOf(loadDocument()).map((one) => [one.operationId, one]),
  );
  const reading = new Reading();
  for (const { operation, request, answer, line } of exchanges) {
    reading.add(
      { ...request, operation: operations.get(operation) as RequestView['operation'] },
      answer,
      line,
      (text) => text,
    );
  }
  return reading;
}

async function record(): Promise<RecordedRun[]> {
  const runs: RecordedRun[] = [];
  for (const { id, profile } of [
    { id: 'defaults', profile: {} },
    ...pairwiseProfiles(withoutNeeds(loadOpenPoints())),
  ]) {
    const exchanges = await exchangesOf(profile);
    const seen = Object.keys(readAgain({ id, profile, exchanges, seen: [] }).learned().observed);
    runs.push({ id, profile, exchanges, seen });
  }
  return runs;
}

async function exchangesOf(profile: Partial<Profile>): Promise<RecordedRun['exchanges']> {
  const exchanges: RecordedRun['exchanges'] = [];
  const { add } = Reading.prototype;
  Reading.prototype.add = function record({ operation, ...request }, answer, line, redact) {
    if (answer.body.kind !== 'text') exchanges.push({ operation: operation.operationId, request, answer, line });
    add.call(this, { operation, ...request }, answer, line, redact);
  };
  try {
    await observeMock({ profile });
  } finally {
    Reading.prototype.add = add;
  }
  return JSON.parse(JSON.stringify(exchanges)) as RecordedRun['exchanges'];
}
