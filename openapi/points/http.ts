import { joined, say } from '../../lib/sentence.ts';
import type { Seen } from '../reading/learned.ts';
import type { ReadExchange } from '../reading/messages.ts';
import { isSuccess } from '../reading/statuses.ts';
import type { Rooms } from './room.ts';

/** Headers, keys and origins. */
export const httpPoints = {
  cors: {
    sources: ['1/sentence:1'],
    operations: 'all',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    isShared: true,
    open: 'Which web pages may read responses (CORS). Same-origin pages always may, and programs other than browsers are unaffected. CORS protects no data here, since every call needs a key.',
    choices: [
      {
        value: 'local',
        means:
          'pages on the same machine, with or without credentials: localhost, 127.0.0.1, [::1] and *.localhost, any port',
      },
      { value: 'any', means: 'pages from any origin, without credentials' },
      { value: 'none', means: 'no pages from other origins' },
    ],
    default: 'local',
    cost: 'A frontend that calls the service directly works in development, but fails where its origin is not allowed.',
    question: 'Which web pages may call the service from a browser?',
    see: seeCors,
    decides: { stage: 'key', appliesTo: ({ hasOrigin }) => hasOrigin },
  },
  bothAuthHeaders: {
    sources: ['5/sentence:2'],
    operations: 'all',
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    isShared: true,
    open: 'The handling of two auth headers with different keys, whether neither, one or both of the keys are valid. If both headers carry the same valid key, the mock accepts it; a server may refuse it.',
    choices: [
      { value: 'refused', means: '401' },
      { value: 'apiKeyWins', means: 'only X-API-Key is used' },
      { value: 'bearerWins', means: 'only Authorization is used' },
    ],
    default: 'refused',
    cost: 'A client behind a gateway that adds a key acts for the wrong organization, or gets 401.',
    question: 'Which header is used if both are sent?',
    decides: { stage: 'key', appliesTo: ({ hasTwoKeys }) => hasTwoKeys },
  },
  bearerSpelling: {
    sources: ['5/sentence:2'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 1,
    isShared: true,
    open: 'The letter case of `Bearer`. The specification shows one spelling; HTTP compares scheme names without regard to case (RFC 9110, section 11.1). A client that sends the documented spelling is always understood.',
    choices: [
      { value: 'anyCase', means: 'bearer and BEARER are accepted as well' },
      { value: 'exact', means: 'only Bearer is accepted' },
    ],
    default: 'anyCase',
    cost: 'A client that sends `bearer` in lower case gets 401.',
    question: 'No question: clients send Bearer as the specification shows it.',
    decides: { stage: 'key', appliesTo: ({ hasUnusualScheme }) => hasUnusualScheme },
  },
  wwwAuthenticate: {
    sources: ['7/gap:1'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 1,
    isShared: true,
    open: 'Whether a 401 has a WWW-Authenticate challenge.',
    choices: [
      { value: 'sent', means: 'WWW-Authenticate: Bearer' },
      { value: 'absent', means: 'no such header' },
    ],
    default: 'sent',
    cost: 'A client that reads from the header how to authenticate finds nothing.',
    question: 'Does a 401 have a WWW-Authenticate header?',
    see: seeChallenge,
  },
  rateLimits: {
    sources: ['8/gap:1'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 2,
    open: 'Whether there are rate limits, and whether responses announce them. The mock never enforces any.',
    choices: [
      { value: 'none', means: 'responses do not announce any' },
      { value: 'announced', means: 'each response has RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset' },
    ],
    default: 'none',
    cost: 'A client that sends many requests is rejected without warning, or slows down for nothing.',
    question: 'Do responses announce rate limits?',
    see: seeRateLimits,
  },
} satisfies Rooms;

// If a page from this machine may not read, no page may; if a foreign page may, every page may.
function seeCors({ request, answer }: ReadExchange): Seen | undefined {
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  const allowed = answer.headers['access-control-allow-origin'];
  if (allowed === '*') return 'any';
  const isLocal = /^[a-z+.-]+:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\]|[^/]*\.localhost)(?::\d+)?$/i.test(origin);
  if (allowed === origin) return isLocal ? 'local' : 'any';
  return isLocal ? 'none' : undefined;
}

function seeChallenge({ answer: { status, headers } }: ReadExchange): Seen | undefined {
  if (status !== 401) return undefined;
  const challenge = headers['www-authenticate'];
  if (challenge === undefined) return 'absent';
  return /^bearer\b/i.test(challenge) ? 'sent' : { other: say`${challenge}` };
}

const announced = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function seeRateLimits({ answer }: ReadExchange): Seen | undefined {
  if (!isSuccess(answer)) return undefined;
  const names = Object.keys(answer.headers).filter((name) => /rate-?limit/.test(name));
  if (names.length === 0) return 'none';
  return announced.every((name) => names.includes(name)) ? 'announced' : { other: joined(names) };
}
