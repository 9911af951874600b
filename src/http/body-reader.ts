import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A body that was not taken in. The codes are those that Fastify has for it. */
class BodyError extends Error {
  readonly code: 'FST_ERR_CTP_BODY_TOO_LARGE' | 'FST_ERR_CTP_INVALID_CONTENT_LENGTH';

  constructor(code: BodyError['code']) {
    super(code);
    this.name = 'BodyError';
    this.code = code;
  }
}

/**
 * Takes in whatever is sent as bytes: what it is declared as is judged after its size. Not with Fastify's own reader,
 * whose limit cannot change while it listens; that of the profile can.
 */
export function addBodyReader(app: FastifyInstance, limitBytes: () => number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const declaredBytes = declaredLength(request);
    if (declaredBytes > limitBytes()) done(new BodyError('FST_ERR_CTP_BODY_TOO_LARGE'));
    else collect(payload, declaredBytes, limitBytes(), done);
  });
}

function declaredLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? Number.NaN);
}

type Done = (error: Error | null, body?: Buffer) => void;

// By events: to leave a loop over the stream would end the connection before it is answered.
function collect(payload: Readable, declaredBytes: number, limitBytes: number, done: Done): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish: Done = (error, body) => {
    payload.off('data', take).off('end', close).off('error', finish);
    done(error, body);
  };
  const take = (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > limitBytes) finish(new BodyError('FST_ERR_CTP_BODY_TOO_LARGE'));
  };
  const close = () => {
    const isWhole = Number.isNaN(declaredBytes) || declaredBytes === length;
    if (isWhole) finish(null, Buffer.concat(chunks, length));
    else finish(new BodyError('FST_ERR_CTP_INVALID_CONTENT_LENGTH'));
  };
  payload.on('data', take).on('end', close).on('error', finish).resume();
}
