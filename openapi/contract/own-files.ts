import { existsSync, readFileSync } from 'node:fs';
import { yaml } from './yaml.ts';

// The sources and the compiled package have the same folders. `src/browser/instead` has the twin for browsers.
const root = new URL('../../', import.meta.url);

/**
 * Loads a YAML file of the project by its path, such as `openapi/openapi.yaml`. The compiled package has the same file as
 * JSON, which loads much faster.
 */
export function loadOwnYaml(path: string): unknown {
  const twin = new URL(`${path}.json`, root);
  if (existsSync(twin)) return JSON.parse(readFileSync(twin, 'utf8'));
  return yaml().parse(loadOwnText(path));
}

/** Loads a text file of the project by its path. */
export function loadOwnText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
