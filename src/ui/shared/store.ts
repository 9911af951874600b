import { signal } from '@preact/signals';
import { ControlError, callControl } from './control.ts';
import { createEventReader, type StreamEvent } from './event-stream.ts';

/*
 * One stream of events for the whole page, and the data that are loaded again when it tells of a change. How to follow
 * something: `createStore`, then `useEffect(store.follow, [])` where it is shown.
 */

/** `refused`: the server has no stream, so that data are loaded every few seconds; {@link refusal} says why. */
type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting' | 'hidden' | 'refused';

export const liveState = signal<LiveState>('off');
export const refusal = signal('');

/** Who wants to know of events. `onOpen` loads what came before; it is called again after each interruption. */
interface Follower {
  onEvent(event: StreamEvent): void;
  onOpen(): Promise<unknown>;
}

const followers = new Set<Follower>();
let stop: AbortController | undefined;
let isOpen = false;

/** Follows the stream, which is open while anybody does, until the returned function is called. */
export function follow(follower: Follower): () => void {
  followers.add(follower);
  if (stop === undefined) start();
  else if (isOpen) void follower.onOpen();
  return () => {
    followers.delete(follower);
    if (followers.size === 0) end('off');
  };
}

// Browsers allow six connections to one origin for all tabs together: a hidden tab needs none.
document.addEventListener('visibilitychange', () => {
  if (followers.size > 0) start();
});

function start(): void {
  end('hidden');
  if (document.hidden) return;
  stop = new AbortController();
  void keepOpen(stop.signal);
}

function end(state: LiveState): void {
  stop?.abort();
  stop = undefined;
  isOpen = false;
  liveState.value = state;
}

const [firstWaitMs, longestWaitMs, pollMs] = [500, 8_000, 3_000];

async function keepOpen(stopped: AbortSignal): Promise<void> {
  let waitMs = firstWaitMs;
  liveState.value = 'connecting';
  while (!stopped.aborted) {
    try {
      await followOnce(stopped, () => {
        waitMs = firstWaitMs;
      });
    } catch (error) {
      // An error response is final; other problems may pass.
      if (error instanceof ControlError && error.status >= 400 && error.status < 500)
        return poll(stopped, error.message);
    }
    if (stopped.aborted) return;
    isOpen = false;
    liveState.value = 'reconnecting';
    await pause(waitMs, stopped);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

/** Reads the stream by `fetch`, since an `EventSource` cannot send the token. */
async function followOnce(stopped: AbortSignal, onLive: () => void): Promise<void> {
  const response = await callControl('/requests/live', { signal: stopped });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = createEventReader((event) => {
    for (const { onEvent } of followers) onEvent(event);
  });
  // The stream is opened before this load, so that nothing is missed in between.
  isOpen = true;
  await Promise.all([...followers].map(({ onOpen }) => onOpen()));
  liveState.value = 'live';
  onLive();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return;
    read(piece.value);
  }
}

async function poll(stopped: AbortSignal, why: string): Promise<void> {
  refusal.value = why;
  liveState.value = 'refused';
  isOpen = true;
  while (!stopped.aborted) {
    await Promise.all([...followers].map(({ onOpen }) => onOpen().catch(() => undefined)));
    await pause(pollMs, stopped);
  }
}

function pause(durationMs: number, stopped: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  stopped.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

const soonMs = 150;

interface StoreOptions {
  load(): Promise<void>;
  /** Whether an event, for an exchange or a change, may have changed the data. */
  isChange(event: StreamEvent): boolean;
}

export type Store = ReturnType<typeof createStore>;

/** Data from the admin API that are loaded again when something changes. */
export function createStore({ load, isChange }: StoreOptions) {
  const loadedAt = signal('');
  const problem = signal('');
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isComing = false;
  const loadWanted = async () => {
    while (isWanted) {
      isWanted = false;
      try {
        await load();
        problem.value = '';
        loadedAt.value = `${new Date().toISOString().slice(11, 19)} UTC`;
      } catch (error) {
        problem.value = (error as Error).message;
      }
    }
    running = undefined;
  };
  const refresh = (): Promise<void> => {
    isWanted = true;
    running ??= loadWanted();
    return running;
  };
  const refreshSoon = () => {
    if (isComing) return;
    isComing = true;
    setTimeout(() => {
      isComing = false;
      void refresh();
    }, soonMs);
  };
  const onEvent = (event: StreamEvent) => {
    if (isChange(event)) refreshSoon();
  };
  return {
    /** Loads them now. While one load is running, at most one more waits. */
    refresh,
    /** Loads them after a moment: a busy client makes many changes in a row. */
    refreshSoon,
    /** Follows the changes until the returned function is called. */
    follow: () => follow({ onEvent, onOpen: refresh }),
    /** When they were loaded, as a time of day; empty before. */
    loadedAt,
    /** Why they could not be loaded; empty if they could. */
    problem,
  };
}
