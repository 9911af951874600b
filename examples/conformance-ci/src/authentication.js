import { createHash } from 'node:crypto';

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Finds the organization of each request by its key, and refuses a request without a valid one before all else. */
export function authenticate(app, database) {
  const find = database.prepare('SELECT organization_id FROM api_keys WHERE sha256 = ?');
  app.decorateRequest('organizationId', '');
  app.addHook('onRequest', async (request, reply) => {
    const keys = new Set(keysOf(request.headers));
    const [row] = [...keys].map((key) => find.get(sha256(key)));
    // Two headers with different keys name nobody.
    if (row === undefined || keys.size > 1) {
      return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ message: 'Send a valid API key.' });
    }
    request.organizationId = row.organization_id;
  });
}

function keysOf({ 'x-api-key': key, authorization }) {
  const bearer = authorization === undefined ? [] : [/^Bearer +(.+)$/i.exec(authorization)?.[1] ?? ''];
  return key === undefined ? bearer : [key, ...bearer];
}
