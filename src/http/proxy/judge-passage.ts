import type { ExchangeViolation } from './exchange.ts';
import { ProxyFailure } from './failures.ts';
import type { AnswerView } from './judge/views.ts';
import type { Passage } from './passage.ts';

/** Judges a request before it is sent on, and refuses one that breaks the contract. */
export async function refuseRequest(passage: Passage): Promise<void> {
  await judge(passage, async ({ edge, view }) => (view === undefined ? [] : edge.judge.request(view)));
  const errors = passage.violations.filter(isError);
  if (errors.length === 0) return;
  const what = 'The request breaks the contract, so it was not sent on (--errors).';
  throw new ProxyFailure('requestViolation', `${what} ${errors[0]?.message}.`, errors);
}

/** Judges an answer, and the request before it where that was not done. */
export async function judgeAnswer(passage: Passage, answer: AnswerView): Promise<void> {
  const { edge, view, request } = passage;
  if (view === undefined) return;
  if (!edge.isStrict) await judge(passage, () => edge.judge.request(view));
  await judge(passage, () => edge.judge.answer(view, answer));
  const line = `${request.method} ${passage.redaction.target(request.url ?? '')}`;
  await judge(passage, async () => {
    edge.sightings.look(view, answer, line);
    return [];
  });
}

/** Judges a request whose answer is not judged. */
export async function judgeAlone(passage: Passage): Promise<void> {
  const { edge, view } = passage;
  if (view !== undefined && !edge.isStrict) await judge(passage, () => edge.judge.request(view));
}

/** Refuses an answer that breaks the contract. */
export function refuseAnswer({ edge, violations }: Passage): void {
  const errors = violations.filter((each) => isError(each) && each.location[0] === 'response');
  if (!edge.isStrict || errors.length === 0) return;
  const what = 'The upstream has acted, and its answer breaks the contract, so it was not handed on (--errors).';
  throw new ProxyFailure('answerViolation', `${what} ${errors[0]?.message}.`, errors);
}

function isError({ severity }: ExchangeViolation): boolean {
  return severity === 'Error';
}

// A long list may be wrong in each item.
const mostViolations = 200;

// A defect of the judge is no reason to stop the traffic.
async function judge(passage: Passage, find: (passage: Passage) => Promise<ExchangeViolation[]>): Promise<void> {
  try {
    const found = await find(passage);
    passage.violations.push(...found.slice(0, mostViolations));
    if (found.length > mostViolations) passage.notJudged.push(`more than ${mostViolations} violations`);
  } catch (error) {
    passage.notJudged.push('the judge failed');
    passage.edge.onUnexpected(error);
  }
}
