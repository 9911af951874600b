import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives this process, and those that it starts, a temporary folder of their own. Returns what removes it, with all that
 * processes left there which were killed, or whose files could not be moved back.
 */
export default function useTemporaryFolder(): () => void {
  const usual = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-tests-'));
  // A database server runs as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  };
}
