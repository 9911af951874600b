import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The YAML library, loaded when it is first needed: the compiled package starts without it. */
export function yaml(): typeof import('yaml') {
  return require('yaml');
}
