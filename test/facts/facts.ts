import type { Fact } from './fact.ts';
import { factsOfRequests } from './of-requests.ts';
import { factsOfResponses } from './of-responses.ts';
import { factsOfSignals } from './of-signals.ts';
import { factsOfTheMock } from './of-the-mock.ts';

/** All facts; each edge must find the same as HTTP. */
export const facts: readonly Fact[] = [
  ...[...factsOfResponses, ...factsOfRequests, ...factsOfSignals, ...factsOfTheMock],
];
