import type { Profile } from '../../src/index.ts';
import type { Answer } from './call.ts';

/** Says which header an answer lacks under a profile, or has too many. */
export function headerFault({ status, headers }: Answer, profile: Profile): string | undefined {
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
