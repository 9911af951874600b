import type { FastifyCorsOptions } from '@fastify/cors';

/** Any page may call the mock and read its own headers. A preflight never needs a key. */
export const corsOptions: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: [
    'X-Request-Id',
    'WWW-Authenticate',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Allow',
    'Date',
  ],
  maxAge: 600,
  strictPreflight: false,
};
