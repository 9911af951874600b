import { createHash } from 'node:crypto';

/** The id of a key, as the admin API shows it. */
export function keyIdOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
