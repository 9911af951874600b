// Loaded before every script: says in one line what is missing where the `node` package could not install its Node.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `This needs Node 24, and this is Node ${process.versions.node}: the "node" package was not installed whole. ` +
      'Run `npm ci` with install scripts allowed (without --ignore-scripts), or use Node 24 yourself.',
  );
  process.exit(1);
}

// Before the first TypeScript is read: then no start after the first has to take its types out.
require('node:module').enableCompileCache();
