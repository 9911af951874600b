/**
 * Prism, loaded on first use, which takes most of a second. It is not imported: if an import fails, for example because
 * file descriptors ran out, Node 22 never tries again.
 */
export function prismHttp(): typeof import('@stoplight/prism-http') {
  // Node's own `require` reads the ES modules that Prism requires. Jest wraps it in a class whose `require` does not.
  const { Module } = process.getBuiltinModule('node:module');
  const below: { createRequire?: typeof Module.createRequire } = Object.getPrototypeOf(Module);
  const require = (below.createRequire ?? Module.createRequire)(import.meta.url);
  return require('@stoplight/prism-http');
}
