/*
 * What a walk has found, made sure of and made short: the steps that matter are walked again with new things. If the same rule
 * breaks again, no other client was the cause, and these steps are shown, in order, as commands that repeat them.
 */
import { describePlace } from '../../openapi/model/files.ts';
import type { Broken } from '../rules/judge.ts';
import { currentClock } from '../target/clock.ts';
import { quietMs } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { lookAtAll, walkAlong } from './along.ts';
import type { Scene } from './scene.ts';
import type { Step, Steps } from './steps.ts';

/** So often may steps be walked again, for all findings of a walk together. */
const mostReplays = 4;

/** Confirms what was found. First what would count for nothing otherwise, and facts before inferences. */
export async function confirm(scene: Scene, steps: Steps, broken: readonly Broken[]): Promise<void> {
  const { judge } = scene.session;
  const found = new Map(broken.map((one) => [one.rule, one]));
  const rank = ({ level, certainty }: Broken) => Number(level === 'should') * 2 + Number(certainty === 'certain');
  let replays = 0;
  for (const one of [...found.values()].sort((first, second) => rank(first) - rank(second))) {
    for (const fewer of candidatesFor(one, scene, steps)) {
      if (++replays > mostReplays) return;
      const mark = judge.mark();
      const isCertain = ({ rule, certainty }: Broken) => rule === one.rule && certainty === 'certain';
      const again = await walkAlong(scene.session, fewer, () => judge.broken.slice(mark).some(isCertain));
      // Whatever else came up there is not confirmed itself.
      const seen = judge.broken.splice(mark);
      const same = seen.find(isCertain) ?? seen.find(({ rule }) => rule === one.rule);
      if (same === undefined) continue;
      // Another client may have done it both times.
      if (same.certainty === 'maybe' && !(namesOurs(again, same) && (await isQuiet(again)))) continue;
      judge.broken.unshift({ ...same, certainty: 'certain', replies: scriptOf(again, same) });
      break;
    }
  }
}

/** Whether a file is at a path that only this run knows, or nowhere: another client has paths of its own. */
function namesOurs({ session }: Scene, { actual }: Broken): boolean {
  const text = String(actual);
  return text.includes(session.runId) || text === String(describePlace('gone'));
}

/** Whether two looks at everything, a moment apart, find nothing new. */
async function isQuiet(scene: Scene): Promise<boolean> {
  const { judge } = scene.session;
  const mark = judge.mark();
  for (const header of ['header', 'bearer'] as const) {
    await currentClock().sleep(quietMs);
    await lookAtAll(scene, header);
  }
  return judge.broken.splice(mark).length === 0;
}

/** Sets of steps that may break the rule again, the smallest first. */
function candidatesFor({ replies }: Broken, { sent }: Scene, steps: Steps): Steps[] {
  const last = replies.at(-1);
  const earlier = sent.slice(0, sent.findIndex(({ reply }) => reply === last) + 1);
  const ofSame = earlier.filter(({ reply }) => resourceOf(reply) === resourceOf(last));
  const involved = sent.filter(({ reply }) => replies.includes(reply));
  const stepsOf = (some: Scene['sent']) => [...new Set(some.map(({ step }) => step))];
  const sets = [stepsOf(involved), stepsOf(ofSame).slice(-fewSteps), stepsOf(earlier)];
  return sets
    .filter((wanted) => wanted.some((step) => step !== undefined))
    .map((wanted): Steps => {
      const only = (some: readonly Step[]) => some.filter((step) => wanted.includes(step));
      return { lists: only(steps.lists), moves: only(steps.moves), trees: only(steps.trees) };
    });
}

const fewSteps = 3;

/** What a request is about: a file, the tools of a server, or a list. */
function resourceOf(reply: Reply | undefined): string | undefined {
  return reply?.request.path.split('?', 1)[0];
}

/** Every request that led to a finding, in order. */
function scriptOf({ sent }: Scene, { replies }: Broken): Reply[] {
  const all = sent.map(({ reply }) => reply);
  const isWrite = ({ request }: Reply) => request.method !== 'GET';
  const last = replies.at(-1) as Reply;
  const upTo = all.slice(0, all.indexOf(last));
  return [...new Set([...upTo.filter((reply) => isWrite(reply) || replies.includes(reply)), ...replies])];
}
