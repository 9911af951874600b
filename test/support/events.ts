import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** One server-sent event. */
interface ServerEvent {
  event: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into entries of every shape
  data: any;
}

/** Starts to read server-sent events. Resolves when the response has begun. */
export async function readEvents(url: string, headers: Record<string, string> = {}) {
  const request = get(url, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events = eventsOf(response.setEncoding('utf8'));
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'],
    /** Closes the connection. */
    close: () => void request.destroy(),
    /** The next `count` events; waits for them. */
    next: async (count: number) => {
      const found: ServerEvent[] = [];
      while (found.length < count) {
        const { value, done } = await events.next();
        if (done === true) throw new Error(`The stream ended after ${found.length} of ${count} events.`);
        found.push(value);
      }
      return found;
    },
  };
}

async function* eventsOf(response: AsyncIterable<string>): AsyncGenerator<ServerEvent, void> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (!block.startsWith(':')) yield toEvent(block);
    }
  }
}

function toEvent(block: string): ServerEvent {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return { event: fields.event ?? '', id: fields.id ?? '', data: JSON.parse(fields.data ?? 'null') };
}
