import { contractFor, createMock, type Profile } from '../../src/index.ts';
import { type AjvOpinion, createAjvOpinion } from './ajv-opinion.ts';
import { type Answer, type Call, describeCall } from './call.ts';
import { judge } from './judge.ts';
import type { Outcome } from './outcome.ts';
import { createPicture, type Picture } from './picture.ts';
import type { Random } from './random.ts';
import { randomCall } from './random-calls.ts';
import { choicesOf } from './random-profile.ts';
import { now, seed } from './seed.ts';
import { createWire, type Wire } from './wire.ts';

/** One call of a sequence, its answer, and what the model says became of it. */
export interface Judged {
  call: Call;
  answer: Answer;
  outcome: Outcome;
}

/** What came of one profile and one sequence of calls. */
export interface Report {
  profile: Profile;
  exchanges: Judged[];
  /** In words, with all that is needed to repeat it. */
  faults: string[];
}

/** Uses random calls on a mock of its own, and compares each answer with the model and the contract. */
export async function runSequence(profile: Profile, random: Random, name: string): Promise<Report> {
  const mock = await createMock({ port: 0, seed, profile, clock: now });
  const wire = createWire(mock.url);
  try {
    return await carryOut(wire, profile, random, name);
  } finally {
    wire.close();
    await mock.close();
  }
}

async function carryOut(wire: Wire, profile: Profile, random: Random, name: string): Promise<Report> {
  const report: Report = { profile, exchanges: [], faults: [] };
  const picture = createPicture(seed.organizations, profile);
  const ajvOpinion = createAjvOpinion(contractFor(profile));
  const length = random.integer(30, 40);
  const course = { picture, ajvOpinion, report, name };
  for (let isOnCourse = true; isOnCourse && report.exchanges.length < length; ) {
    const call = randomCall(random, picture, isDueToSucceed(report, random), report.exchanges.at(-1)?.call);
    isOnCourse = step(call, await wire.send(call), course);
  }
  return report;
}

interface Course {
  picture: Picture;
  ajvOpinion: AjvOpinion;
  report: Report;
  name: string;
}

// Half of each sequence shall succeed, so a call is meant well whenever less than that has.
function isDueToSucceed({ exchanges }: Report, random: Random): boolean {
  const successes = exchanges.filter(({ outcome }) => outcome === 'success').length;
  return successes * 2 <= exchanges.length + 2 || random.chance(0.2);
}

// False when the model no longer knows what there is: the rest of the sequence would say nothing.
function step(call: Call, answer: Answer, { picture, ajvOpinion, report, name }: Course): boolean {
  const fail = (fault: string) => report.faults.push(describeFault(fault, call, answer, report, name));
  for (const fault of [ajvOpinion(call, answer), headerFault(answer, report.profile)]) if (fault) fail(fault);
  try {
    report.exchanges.push({ call, answer, outcome: judge(call, answer, picture) });
    return true;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return false;
  }
}

function describeFault(fault: string, call: Call, { status, text }: Answer, report: Report, name: string): string {
  const calls = report.exchanges.map((exchange) => `${describeCall(exchange.call)} -> ${exchange.answer.status}`);
  const choices = JSON.stringify(choicesOf(report.profile));
  const last = `${describeCall(call)} -> ${status} ${text.slice(0, 500)}`;
  return [`${name}: ${fault}`, `profile: ${choices}`, ...calls, last].join('\n  ');
}

/** Says which header an answer lacks under a profile, or has too many. */
function headerFault({ status, headers }: Answer, profile: Profile): string | undefined {
  const mediaType = headers['content-type'] ?? profile.answerMediaType;
  if (status < 300 && mediaType !== profile.answerMediaType) return `${status}: Content-Type ${mediaType}`;
  const hasChallenge = headers['www-authenticate']?.startsWith('Bearer') ?? false;
  const isChallenged = status === 401 && profile.wwwAuthenticate === 'sent';
  if (hasChallenge !== isChallenged) return `${status}: WWW-Authenticate ${isChallenged ? 'is missing' : 'is sent'}`;
  const isAnnounced = profile.rateLimits === 'announced';
  const wrong = rateLimitHeaders.find((name) => name in headers !== isAnnounced);
  return wrong && `${status}: ${wrong} ${isAnnounced ? 'is missing' : 'is sent'}`;
}

const rateLimitHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
