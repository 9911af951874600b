import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Recorded, RequestLog } from '../request-log.ts';
import { type ControlAnswer, done, type WritePiece } from './control.ts';

/** The exchange with a number, as `show` shows it; refused if it is not, or no longer, in the request log. */
export function answerExchange<Entry>(
  requestLog: RequestLog<Entry>,
  requestNumber: string | undefined,
  show: (recorded: Recorded<Entry>) => unknown,
): ControlAnswer | Refusal {
  const found = requestLog.find(Number(requestNumber));
  return found === undefined
    ? refuse('notFound', 'No such exchange, or it is no longer in the request log.')
    : done(show(found));
}

/** The event of each exchange: it is formatted and redacted only once for all followers. */
const events = new WeakMap<object, Uint8Array>();

function eventOf<Entry>(recorded: Recorded<Entry>, show: (recorded: Recorded<Entry>) => unknown): Uint8Array {
  const known = events.get(recorded);
  if (known !== undefined) return known;
  const text = `event: exchange\nid: ${recorded.number}\ndata: ${JSON.stringify(show(recorded))}\n\n`;
  const event = new TextEncoder().encode(text);
  events.set(recorded, event);
  return event;
}

/**
 * A stream with one event for each new exchange that is selected. The id of an event is the number of its exchange.
 * `alsoListen` may write other events to it, and returns how to stop.
 */
export function streamExchanges<Entry>(
  requestLog: RequestLog<Entry>,
  isSelected: (entry: Entry) => boolean,
  show: (recorded: Recorded<Entry>) => unknown,
  alsoListen: (write: WritePiece) => () => void = () => () => undefined,
): ControlAnswer {
  return {
    status: 200,
    stream: (write) => {
      write(': each exchange is one event\n\n');
      const stops = [
        requestLog.listen((recorded) => {
          if (isSelected(recorded.entry)) write(eventOf(recorded, show));
        }),
        alsoListen(write),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
