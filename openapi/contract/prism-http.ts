/**
 * Prism, loaded on first use, which takes most of a second. Not imported: Node 22 remembers for ever that an import failed,
 * such as for want of file descriptors.
 */
export function prismHttp(): typeof import('@stoplight/prism-http') {
  // By Node's own `require`, which reads the ES modules that Prism requires. Jest puts a class over Node's whose does not.
  const { Module } = process.getBuiltinModule('node:module');
  const below: { createRequire?: typeof Module.createRequire } = Object.getPrototypeOf(Module);
  const require = (below.createRequire ?? Module.createRequire)(import.meta.url);
  return require('@stoplight/prism-http');
}
