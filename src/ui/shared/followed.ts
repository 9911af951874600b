import { type ReadonlySignal, signal } from '@preact/signals';
import type { StreamEvent } from './event-stream.ts';
import { createLive, type LiveState } from './live.ts';

/** Data from the admin API that are reloaded when something changes. */
export interface Followed {
  /** Loads them now. While one load is running, at most one more waits. */
  refresh(): Promise<void>;
  /** Loads them after a moment: a busy client makes many changes in a row. */
  refreshSoon(): void;
  /** Follows the changes until the returned function is called. */
  follow(): () => void;
  readonly liveState: ReadonlySignal<LiveState>;
  /** When they were loaded, as a time of day. */
  readonly loadedAt: ReadonlySignal<string>;
  /** Why they could not be refreshed; empty if they could. */
  readonly staleReason: ReadonlySignal<string>;
  /** Why changes by others do not show automatically; empty if they do. */
  readonly liveProblem: ReadonlySignal<string>;
}

interface FollowedOptions {
  load(): Promise<void>;
  /** Whether an event, for an exchange or a change, may have changed the data. */
  isChange(event: StreamEvent): boolean;
}

const soonMs = 150;

/** Follows data that `load` loads. */
export function createFollowed({ load, isChange }: FollowedOptions): Followed {
  const loadedAt = signal('');
  const staleReason = signal('');
  const liveProblem = signal('');
  const refresh = oneAtATime(async () => {
    try {
      await load();
      staleReason.value = '';
      loadedAt.value = new Date().toLocaleTimeString();
    } catch (error) {
      staleReason.value = (error as Error).message;
    }
  });
  const refreshSoon = soon(() => void refresh());
  const live = createLive({
    path: '/requests/live',
    onEvent: (event) => {
      if (isChange(event)) refreshSoon();
    },
    onOpen: () => {
      liveProblem.value = '';
      return refresh();
    },
    onRefused: (message) => {
      liveProblem.value = message;
      void refresh();
    },
  });
  return { refresh, refreshSoon, follow: live.open, liveState: live.state, loadedAt, staleReason, liveProblem };
}

function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const runWanted = async () => {
    while (isWanted) {
      isWanted = false;
      await run();
    }
  };
  return () => {
    isWanted = true;
    running ??= runWanted().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function soon(act: () => void): () => void {
  let isComing = false;
  return () => {
    if (isComing) return;
    isComing = true;
    setTimeout(() => {
      isComing = false;
      act();
    }, soonMs);
  };
}
