import { type ReadonlySignal, signal } from '@preact/signals';
import { ControlError, callControl } from './control.ts';
import { createEventReader, type StreamEvent } from './event-stream.ts';

/** The state of a stream. */
export type LiveState = 'off' | 'connecting' | 'live' | 'reconnecting' | 'hidden';

/** A stream of admin API events, open only while somebody can see its effects. */
export interface Live {
  readonly state: ReadonlySignal<LiveState>;
  /** Opens it; the returned function closes it. */
  open(): () => void;
}

const firstWaitMs = 500;
const longestWaitMs = 8_000;

interface LiveOptions {
  path: string;
  onEvent(event: StreamEvent): void;
  /** Called whenever the stream is open (again), to load what came before. */
  onOpen(): Promise<void>;
  /** Called when the mock refuses the stream, which then stays closed. */
  onRefused(message: string): void;
}

/**
 * Opens a stream by `fetch`, since an `EventSource` cannot send the token. It closes while the tab is hidden: browsers
 * allow six connections to one origin for all tabs together.
 */
export function createLive(options: LiveOptions): Live {
  const state = signal<LiveState>('off');
  const open = () => {
    let stop: AbortController | undefined;
    const follow = () => {
      stop?.abort();
      stop = undefined;
      if (document.hidden) {
        state.value = 'hidden';
        return;
      }
      stop = new AbortController();
      void keepOpen(options, state, stop.signal);
    };
    document.addEventListener('visibilitychange', follow);
    follow();
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop?.abort();
      state.value = 'off';
    };
  };
  return { state, open };
}

async function keepOpen(options: LiveOptions, state: { value: LiveState }, stop: AbortSignal): Promise<void> {
  let waitMs = firstWaitMs;
  state.value = 'connecting';
  while (!stop.aborted) {
    try {
      await followOnce(options, stop, () => {
        state.value = 'live';
        waitMs = firstWaitMs;
      });
    } catch (error) {
      // An error response is final; other problems may pass.
      if (error instanceof ControlError && error.status >= 400 && error.status < 500) {
        options.onRefused(error.message);
        break;
      }
    }
    if (stop.aborted) return;
    state.value = 'reconnecting';
    await pause(waitMs, stop);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
  if (!stop.aborted) state.value = 'off';
}

async function followOnce({ path, onEvent, onOpen }: LiveOptions, stop: AbortSignal, onLive: () => void) {
  const response = await callControl(path, { signal: stop });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = createEventReader(onEvent);
  // The stream is opened before this load, so that nothing is missed in between.
  await onOpen();
  onLive();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return;
    read(piece.value);
  }
}

function pause(durationMs: number, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  stop.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
