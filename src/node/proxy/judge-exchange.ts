import type { AnswerView, RequestView } from '../../../openapi/reading/messages.ts';
import type { ExchangeViolation } from './exchange.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { ProxyFailure } from './failures.ts';

/** Judges a request before it is sent on, and throws for one that breaks the contract. */
export async function refuseRequest(record: ExchangeRecord, view: RequestView | undefined): Promise<void> {
  if (view !== undefined) await record.judge(() => record.context.judge.request(view));
  const errors = record.violations.filter(isError);
  if (errors.length === 0) return;
  const what = 'The request breaks the contract, so it was not forwarded (--errors).';
  throw new ProxyFailure('requestViolation', `${what} ${errors[0]?.message}.`, errors);
}

/** Judges an exchange: the request, where that was not done before, and the answer, where it was read. */
export async function judgeExchange(
  record: ExchangeRecord,
  view: RequestView,
  answer: AnswerView | undefined,
): Promise<void> {
  const { context, request } = record;
  if (!context.isStrict) await record.judge(() => context.judge.request(view));
  if (answer === undefined) return;
  await record.judge(() => context.judge.answer(view, answer));
  const line = `${request.message.method} ${request.redact(request.message.url ?? '')}`;
  await record.judge(async () => {
    context.sightings.add(view, answer, line, request.redact);
    return [];
  });
}

/** Throws for an answer that breaks the contract. */
export function refuseAnswer({ context, violations }: ExchangeRecord): void {
  const errors = violations.filter((each) => isError(each) && each.location[0] === 'response');
  if (!context.isStrict || errors.length === 0) return;
  const what = 'The upstream has acted, but its response breaks the contract, so it was not forwarded (--errors).';
  throw new ProxyFailure('answerViolation', `${what} ${errors[0]?.message}.`, errors);
}

function isError({ severity }: ExchangeViolation): boolean {
  return severity === 'Error';
}
