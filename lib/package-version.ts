import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  // One level up in the sources, two in the compiled package.
  for (const path of ['../package.json', '../../package.json']) {
    const version = versionIn(new URL(path, import.meta.url));
    if (version !== undefined) return version;
  }
  return 'unknown';
}

function versionIn(file: URL): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    return name === 'agent-platform-contract' ? version : undefined;
  } catch {
    return undefined;
  }
}
