import type { Damage, Sink } from '../app/faults/effects.ts';
import type { PageConnection } from './connection.ts';

/** How a body arrives. */
export interface Arrival {
  /** Begins to send it. */
  start(sink: Sink): void;
  /** The error after everything sent has been read, if it breaks off. */
  failure?(): Error;
  /** Called when nobody reads any more. */
  stop?(): void;
}

/** How a response arrives: in one piece, or damaged by a fault, which `failure` names. */
export function arrivalOf(bytes: Uint8Array, damage: Damage = inOnePiece, failure: () => Error): Arrival {
  return { start: (sink) => damage(bytes, sink), failure };
}

const inOnePiece: Damage = (bytes, sink) => {
  sink.write(bytes);
  sink.end();
};

// As in the body of a `fetch` response, except where `fetch` has no byte streams (Safari).
const byteStream = typeof ReadableByteStreamController === 'function' ? { type: 'bytes' as const } : {};

/** The body of a response. */
export interface Body {
  readonly stream: ReadableStream<Uint8Array>;
  /** What the stream failed with. In Chromium the stream's readers see it, but not the response's. */
  readonly failed: { error: unknown } | undefined;
}

/** A body that arrives as described. An abort fails it, even if all of it has arrived but was not read. */
export function createBody(connection: PageConnection, { start, failure, stop }: Arrival): Body {
  let failed: Body['failed'];
  let isBroken = false;
  const breakOff = () => {
    isBroken = true;
  };
  const fail = (controller: Controller, error: unknown) => {
    failed ??= { error };
    controller.error(error);
  };
  const source = {
    ...byteStream,
    start: (controller: Controller) => {
      connection.once('close', () => {
        stop?.();
        if (connection.aborted !== undefined) fail(controller, connection.aborted.reason);
      });
      start({ ...sinkOf(controller, connection), breakOff });
    },
    pull: (controller: Controller) => {
      if (isBroken) fail(controller, failure?.());
    },
    cancel: connection.close,
  };
  const stream = new ReadableStream<Uint8Array>(source as UnderlyingSource<Uint8Array>, { highWaterMark: 0 });
  return {
    stream,
    get failed() {
      return failed;
    },
  };
}

type Controller = ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController;

// A byte stream takes over the buffers written to it. Pieces share their bytes, so they are copied.
function sinkOf(controller: Controller, connection: PageConnection): Omit<Sink, 'breakOff'> {
  return {
    write: (piece) => {
      if (!connection.destroyed && piece.length > 0) controller.enqueue(piece.slice());
    },
    end: () => {
      if (connection.destroyed) return;
      controller.close();
      if ('byobRequest' in controller) controller.byobRequest?.respond(0);
    },
  };
}
