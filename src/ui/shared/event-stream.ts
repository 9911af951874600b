export interface StreamEvent {
  name: string;
  data: string;
}

/** Reads events from pieces of text, split anywhere. Comments and ids are left out. */
export function createEventReader(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let waiting = '';
  return (piece) => {
    const blocks = (waiting + piece).split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) onEvent(event);
    }
  };
}

function parseBlock(block: string): StreamEvent | undefined {
  const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/s.exec(line));
  const valuesOf = (name: string) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? '');
  const data = valuesOf('data');
  return data.length === 0 ? undefined : { name: valuesOf('event')[0] ?? 'message', data: data.join('\n') };
}
