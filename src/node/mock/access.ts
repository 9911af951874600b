import { type Access, isLoopback } from '../../workbench/admin-api/guard.ts';
import { mockOptions } from '../../workbench/options.ts';
import { StartError } from '../../workbench/start-error.ts';
import { requireOrigin } from '../page-origins.ts';

/** The options that say who may use the admin API. */
interface AccessOptions {
  host?: string;
  admin?: boolean;
  adminToken?: string;
  adminOrigins?: readonly string[];
}

/**
 * Who may use the admin API; undefined if there is none. If other machines can reach it, it needs a token. Throws a
 * {@link StartError}.
 */
export function toAccess(options: AccessOptions): Access | undefined {
  const { host = mockOptions.host.default, admin = true, adminToken: token, adminOrigins: origins = [] } = options;
  requireToken(token);
  for (const origin of origins) requireOrigin(origin);
  if (!admin) return undefined;
  return { token, origins, closed: token === undefined && !isLoopback(host) ? whyClosed(host) : undefined };
}

function whyClosed(host: string): string {
  return `The admin API is closed, because the mock listens on ${host}, which other machines can reach. Start the mock with --admin-token.`;
}

// An empty token, for example from an unset variable, would admit everybody.
function requireToken(token: string | undefined): void {
  if (token === undefined || /^[!-~]+$/.test(token)) return;
  const remedy = 'Omit it to open the admin API on this machine only.';
  throw new StartError('OPTION_INVALID', `The admin token must be printable ASCII without spaces. ${remedy}`);
}
