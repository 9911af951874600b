import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { yaml } from '../../lib/yaml.ts';

// The sources and the compiled package have the same folders. The version for browsers is in `src/browser/instead`.
const root = new URL('../../', import.meta.url);

/**
 * Loads a YAML file of the project by its path, such as `openapi/openapi.yaml`. The compiled package has the same file
 * as JSON, which loads much faster. So does a clone after `npm ci`, under a name derived from the text: a changed file
 * is parsed again.
 */
export function loadOwnYaml(path: string): unknown {
  const twin = new URL(`${path}.json`, root);
  if (existsSync(twin)) return JSON.parse(readFileSync(twin, 'utf8'));
  const text = readFileSync(new URL(path, root), 'utf8');
  const prepared = new URL(`node_modules/.cache/agent-platform-contract/${hash('sha256', text)}.json`, root);
  return existsSync(prepared) ? JSON.parse(readFileSync(prepared, 'utf8')) : yaml().parse(text);
}
