import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The YAML library, loaded on first use: the compiled package starts without it. */
export function yaml(): typeof import('yaml') {
  return require('yaml');
}
