import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const mostKept = 100;
const longestKept = 4_096;

/**
 * Gives requests whose headers are the same one object with them: most clients send the same few again and again, and what
 * was made of headers is known by the object that holds them.
 */
export function createSameHeaders(): (request: IncomingMessage) => IncomingHttpHeaders {
  const kept = new Map<string, IncomingHttpHeaders>();
  return (request) => {
    // No name and no value holds a line break.
    const text = request.rawHeaders.join('\n');
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (text.length > longestKept) return request.headers;
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, request.headers);
    return request.headers;
  };
}
