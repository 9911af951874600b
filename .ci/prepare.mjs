/**
 * Builds the package where a project installs a clone: from git, as a workspace, or as a folder. npm also runs this after
 * `npm ci` in the clone itself, where all commands run from the sources: there it does nothing.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

const { npm_config_local_prefix: project, npm_config_global: isGlobal } = process.env;

if (isGlobal === 'true' || !isHere(project)) await build();

/** @param {string | undefined} folder */
function isHere(folder) {
  return folder !== undefined && realpathSync(folder) === realpathSync('.');
}

async function build() {
  if (hasCompiler()) return import('./build.mjs');
  console.error('agent-platform-contract is not built: that needs its development dependencies (no --omit=dev).');
}

function hasCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc') !== '';
  } catch {
    return false;
  }
}
