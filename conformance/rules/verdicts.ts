/*
 * What the model found becomes the result of the check with the broken rule. Some checks only send, and leave the judgement to
 * the model (`isJudgedByModel`); of all others, one reports what none has reported already. Only what is certain counts: where
 * another client or a lag may be the cause, nothing is said.
 */
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { longestCompared } from '../../openapi/model/exchange.ts';
import { mostPlaces } from '../../openapi/model/shapes.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import type { Outcome } from '../report/report.ts';
import { type JudgedCheck, shownOtherwise } from '../run/run-check.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import type { Session } from '../target/session.ts';
import type { Broken } from './judge.ts';

/** Which result gives way to a finding, the first one first: what passed was wrong, what did not run says nothing yet. */
const order: readonly Outcome[] = ['passed', 'inconclusive', 'skipped', 'not-enabled'];

/** The results with what the model found beside them. `ids`: the checks that were selected; others report nothing. */
export function withFindings(
  session: Session,
  checks: readonly RegisteredCheck[],
  ids: ReadonlySet<string>,
  results: readonly JudgedCheck[],
): JudgedCheck[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  for (const broken of countedIn(session)) {
    const checksOfRule = checksFor(broken, checks).filter(({ id }) => ids.has(id));
    const { expected, replies } = broken;
    const actual = say`${broken.actual}${extentOf(session, broken)}`;
    // A list that shows what another request did was not what did it.
    const deciding = replies.filter(({ request }) =>
      checksOfRule.some(({ operation }) => operation === request.operation),
    );
    const senders = (deciding.length > 0 ? deciding : replies).flatMap(({ sentBy }) => sentBy ?? []);
    for (const { check, result } of reportersAmong(checksOfRule, byId, senders)) {
      session.judge.reporters.add(check.id);
      byId.set(check.id, shownOtherwise(session, check, result, new Violated(expected, actual, replies)));
    }
  }
  return results.map(({ id }) => unlessUnread(session, byId.get(id) as JudgedCheck, checks));
}

/** In how many places of how many responses, for what a response shows by itself. */
function extentOf({ judge }: Session, broken: Broken): Sentence {
  const { places, responses } = judge.extentOf(broken);
  if (broken.places === undefined || places === 1) return say``;
  const number = places > mostPlaces ? say`more than ${mostPlaces}` : say`${places}`;
  return say` (${number} places in ${own(plural(responses, 'response'))})`;
}

/** What a check leaves to the model has not passed if the model has not seen all. */
function unlessUnread(session: Session, result: JudgedCheck, checks: readonly RegisteredCheck[]): JudgedCheck {
  const { unread } = session.judge;
  if (unread === undefined || result.outcome !== 'passed') return result;
  const check = checks.find(({ id }) => id === result.id);
  if (check?.isJudgedByModel !== true || check.isAboutAnswers) return result;
  const why = say`A response to ${own(unread.request.operation)} was longer than ${longestCompared} characters, too long to be compared with others.`;
  return shownOtherwise(session, check, result, new Inconclusive('LENGTH', why));
}

function countedIn({ judge, target }: Session): Broken[] {
  // A key that is no longer accepted ends the run; it was valid before.
  const isAboutKey = ({ rule }: Broken) => rule === 'auth.api-key-header' || rule === 'auth.bearer-header';
  return judge.broken.filter((one) => one.certainty === 'certain' && !(target.endedBy === 'key' && isAboutKey(one)));
}

interface Reporter {
  check: RegisteredCheck;
  result: JudgedCheck;
}

/** The checks of the broken rule: those of the operation that shows it, or else of the last one before it that has any. */
function checksFor({ rule, replies }: Broken, checks: readonly RegisteredCheck[]): RegisteredCheck[] {
  const ofRule = checks.filter(({ requirements }) => requirements.some(({ id }) => id === rule));
  const operations = new Set(ofRule.map(({ operation }) => operation));
  const shownBy = replies.findLast(({ request }) => operations.has(request.operation))?.request.operation;
  return shownBy === undefined ? ofRule : ofRule.filter(({ operation }) => operation === shownBy);
}

/**
 * The checks to report a finding: those that leave their judgement to the model, and the one that sent the deciding request, or
 * else one that sent an earlier request that proves it. If there are none, any of them, unless one has failed or warned already:
 * a fault is told once. What could not be judged because of another failure is told there.
 */
function reportersAmong(
  checks: readonly RegisteredCheck[],
  byId: ReadonlyMap<string, JudgedCheck>,
  senders: readonly string[],
): Reporter[] {
  const candidates = checks.flatMap((check): Reporter[] => {
    const result = byId.get(check.id);
    return result === undefined ? [] : [{ check, result }];
  });
  const hasFailed = (id: string) => ['failed', 'warned'].includes(byId.get(id)?.outcome ?? '');
  const isTold = ({ result }: Reporter) => hasFailed(result.id) || result.see?.some(hasFailed) === true;
  const sender = senders.findLast((id) => candidates.some(({ check }) => check.id === id));
  const named = candidates.filter(({ check }) => check.isJudgedByModel || check.id === sender);
  if (named.length > 0) return named.filter((one) => !isTold(one));
  if (candidates.some(isTold)) return [];
  const rankOf = ({ result }: Reporter) => order.indexOf(result.outcome);
  return candidates.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, 1);
}
