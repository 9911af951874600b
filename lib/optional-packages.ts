import { createRequire } from 'node:module';

/** Optional peer dependencies, each with a module of it: few people need them, and they install many packages. */
const modules = {
  '@modelcontextprotocol/sdk': '@modelcontextprotocol/sdk/types.js',
  '@stoplight/prism-http': '@stoplight/prism-http',
};

/** Why `feature` cannot be used, and the fix, if a package is not installed. Undefined if it is installed. */
export function missingPackage(
  feature: string,
  name: keyof typeof modules,
  resolve: (specifier: string) => unknown = createRequire(import.meta.url).resolve,
): string | undefined {
  try {
    resolve(modules[name]);
    return undefined;
  } catch {
    return `${feature} needs the package ${name}. Install it: npm install --save-dev ${name}`;
  }
}

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
