// Loaded before every script. Says in one line what is missing where the `node` package could not install its Node.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  const isInstalled = existsSync(join(__dirname, '../node_modules/.bin/node'));
  const how = isInstalled
    ? 'Use `npm run`, or start it with node_modules/.bin/node, which is Node 24.'
    : 'The "node" package was not installed whole: run `npm ci` with install scripts allowed (without --ignore-scripts), or use Node 24 yourself.';
  console.error(`This needs Node 24, and this is Node ${process.versions.node}. ${how}`);
  process.exit(1);
}

// Before the first TypeScript is read: then no start after the first has to take its types out.
require('node:module').enableCompileCache();

// npm passes SIGTERM to its shell, which ends without passing it on.
const shell = process.ppid;
if (isMainThread && process.env.npm_lifecycle_event !== undefined) {
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}
