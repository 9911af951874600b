/** The structure of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec), as far as traces use it. */

const text = { type: 'string' };
const count = { type: 'number', minimum: -1 };

/** An object with these fields; custom fields begin with an underscore. */
const object = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional, comment: text },
  patternProperties: { '^_': {} },
  additionalProperties: false,
});
const listOf = (items: object) => ({ type: 'array', items });
const pair = object({ name: text, value: text });
const cookie = object({ name: text, value: text });

const message = {
  httpVersion: text,
  cookies: listOf(cookie),
  headers: listOf(pair),
  headersSize: count,
  bodySize: count,
};
const request = object(
  { method: text, url: { type: 'string', pattern: '^https?://' }, queryString: listOf(pair), ...message },
  { postData: object({ mimeType: text, text, params: listOf(pair) }) },
);
const response = object({
  status: { type: 'integer', minimum: 0 },
  statusText: text,
  content: object({ size: count, mimeType: text }, { text, encoding: text }),
  redirectURL: text,
  ...message,
});
const spent = { type: 'number', minimum: 0 };
const entry = object({
  startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+Z$' },
  time: spent,
  request,
  response,
  cache: { type: 'object', maxProperties: 0 },
  timings: object({ send: spent, wait: spent, receive: spent }),
});

export const harSchema = object({
  log: object({ version: { const: '1.2' }, creator: object({ name: text, version: text }), entries: listOf(entry) }),
});
