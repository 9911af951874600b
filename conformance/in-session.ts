import { Sentence } from '../lib/sentence.ts';
import type { Settings } from './config/settings.ts';
import { Session } from './session.ts';
import { byClock, type Clock, currentClock } from './target/clock.ts';

/** How to open a session. */
interface SessionOptions {
  tool: string;
  signal?: AbortSignal | undefined;
  /** Why the session stops once `signal` is aborted, unless the signal's reason is a sentence. */
  reason: Sentence;
  /** Where moves are recorded. Default: a new file in the temporary directory. */
  moveLog?: string | undefined;
  /** Default: the clock of the current work. */
  clock?: Clock | undefined;
}

/** Opens a session for some work, and closes it. Once `signal` is aborted, no further request is sent. */
export async function inSession<Result>(
  settings: Settings,
  { tool, signal, reason, moveLog, clock = currentClock() }: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = new Session(settings, tool, moveLog, clock);
  const stop = () => session.target.stop(signal?.reason instanceof Sentence ? signal.reason : reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    return await byClock(clock, () => work(session));
  } finally {
    signal?.removeEventListener('abort', stop);
    await session.close();
  }
}
