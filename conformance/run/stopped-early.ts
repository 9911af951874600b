import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { Session } from '../target/session.ts';
import { Inconclusive, Stopped } from './signals.ts';
import { SuiteError } from './suite-error.ts';

/**
 * What kept some work from its beginning or its end, as a `SuiteError`: the user, a limit (`what` was stopped), or the
 * target. Other errors stay as they are.
 */
export function stoppedEarly(error: unknown, what: string, { redact }: Session): unknown {
  if (error instanceof Inconclusive && error.code !== 'REQUESTS')
    return new SuiteError('TARGET_UNREACHABLE', error.reason.shown(redact));
  if (!(error instanceof Stopped || error instanceof Inconclusive)) return error;
  return new SuiteError('STOPPED', say`${own(what)}: ${withStop(error.reason)}`.shown(redact));
}

function withStop(reason: Sentence): Sentence {
  return String(reason).endsWith('.') ? reason : say`${reason}.`;
}
