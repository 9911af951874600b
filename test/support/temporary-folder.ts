import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives this process and its child processes a separate temporary folder. Returns a function that removes it, with
 * everything that killed processes left there, or whose files could not be moved back.
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
