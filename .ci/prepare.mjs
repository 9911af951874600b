/**
 * Builds the package where a project installs a clone: from git, as a workspace, or as a folder. npm also runs this after
 * `npm ci` in the clone itself, where all commands run from the sources: there it prepares the YAML that each of them reads.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

const { npm_config_local_prefix: project, npm_config_global: isGlobal } = process.env;

if (isGlobal === 'true' || !isHere(project)) await build();
else if (isInstalled('yaml')) (await import('./data-files.mjs')).prepareYaml();

/** @param {string | undefined} folder */
function isHere(folder) {
  return folder !== undefined && realpathSync(folder) === realpathSync('.');
}

async function build() {
  if (isInstalled('typescript/bin/tsc')) return import('./build.mjs');
  console.error('agent-platform-contract is not built: that needs its development dependencies (no --omit=dev).');
}

/** @param {string} file */
function isInstalled(file) {
  try {
    return createRequire(import.meta.url).resolve(file) !== '';
  } catch {
    return false;
  }
}
