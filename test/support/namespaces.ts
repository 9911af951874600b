import { spawnSync } from 'node:child_process';
import { beforeEach } from 'vitest';

/** Why tests are left out that need a network, or file systems, of their own. */
const noNamespaces = 'This system lets nobody here make a namespace of its own: `unshare` fails, or is missing.';

/** Leaves out the tests of this block where the system makes no such namespace; the closing lines then say so. */
export function needsNamespace(kind: 'net' | 'mount'): void {
  const isAllowed = spawnSync('unshare', [`--${kind}`, 'true']).status === 0;
  beforeEach(({ skip }) => skip(!isAllowed, noNamespaces));
}
