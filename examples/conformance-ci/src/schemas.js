/** What requests may hold, in JSON Schema. Fastify refuses all else with status 400. */

// The database keeps neither NUL nor half a character.
export const text = { type: 'string', minLength: 1, maxLength: 500, pattern: '^[^\\0\\p{Cs}]*$' };

export const path = {
  ...text,
  allOf: [{ pattern: '^/[^\\r\\n\\u2028\\u2029]*$' }, { not: { pattern: '(^|/)\\.\\.(/|$)' } }],
};

/** An object that has these properties, and perhaps others. */
export const objectOf = (properties) => ({ type: 'object', required: Object.keys(properties), properties });
