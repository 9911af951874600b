import { createRequire } from 'node:module';

// Not imported: Node 22 remembers for ever that an import failed, such as for want of file descriptors.
const require = createRequire(import.meta.url);

/** Prism, loaded on first use, which takes most of a second. */
export function prismHttp(): typeof import('@stoplight/prism-http') {
  return require('@stoplight/prism-http');
}
