import type { WireAnswer, WireFault } from '../mutant.ts';
import { withHeader, write } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const refusal: WireAnswer = { status: 400, headers: { 'content-type': 'text/plain' }, body: 'X-Request-Id: no UUID\n' };

/** A gateway that takes ids for real: a wrong one is refused, and a known one gets the answer of before. */
function takingIds(): WireFault {
  const known = new Map<string, WireAnswer>();
  return async (request, response, forward) => {
    const id = String(request.headers['x-request-id'] ?? '');
    const before = id === '' ? undefined : known.get(id);
    const isWrong = id !== '' && !isUuid.test(id);
    const answer = before ?? (isWrong ? refusal : await forward());
    known.set(id, answer);
    write(response, withHeader(withHeader(answer, 'vary', 'X-Request-Id, Authorization'), 'x-request-id', id));
  };
}

/** What gateways do with the ids of requests. */
export const requestIds: Record<string, Oddity> = {
  'request-ids-are-checked-and-remembered': {
    why: 'No section names X-Request-Id: a gateway may refuse ids that are no UUIDs, and answer an id that it knows as before.',
    wire: takingIds,
  },
};
