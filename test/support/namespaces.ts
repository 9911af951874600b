import { spawnSync } from 'node:child_process';
import { beforeEach } from 'vitest';

/** Why tests that need a separate network or separate file systems are left out. */
const noNamespaces = 'This system lets nobody here make a namespace of its own: `unshare` fails, or is missing.';

/** Leaves out the tests of this block if the system does not create such namespaces; the closing lines then say so. */
export function needsNamespace(kind: 'net' | 'mount'): void {
  const isAllowed = spawnSync('unshare', [`--${kind}`, 'true']).status === 0;
  beforeEach(({ skip }) => skip(!isAllowed, noNamespaces));
}
