import { shownCommand } from '../../lib/shown-command.ts';
import { adminIsOff, controlPrefix } from './admin-api/admin-api.ts';
import type { Access } from './admin-api/guard.ts';
import { pagePath } from './served-documents.ts';

/** Who may use the admin API: anyone, holders of the token, nobody, or there is none. */
type ControlAccess = 'open' | 'token' | 'closed' | 'off';

/** What the mock serves, and where. */
export interface ServedIndex {
  about: string;
  version: string;
  /** When the mock was started, by the clock of its machine. */
  startedAt: string;
  /** Whether its state outlives it. */
  keepsState: boolean;
  baseUrl: string;
  page: string;
  contract: { json: string; yaml: string };
  adminApi: { url: string; access: ControlAccess; why?: string };
  /** The command lines that write a report, as typed where the mock runs. */
  commands: { conformance: string; vary: string };
}

interface Given {
  basePath: string;
  access: Access | undefined;
}

const withKey = ['--api-key', 'demo-key'];

export function servedIndex(
  origin: string,
  { access, ...facts }: Pick<ServedIndex, 'version' | 'startedAt' | 'keepsState'> & Given,
): ServedIndex {
  const { basePath, version, startedAt, keepsState } = facts;
  return {
    about: 'Mock of the Agent Platform Service Interface',
    ...{ version, startedAt, keepsState },
    baseUrl: origin + basePath,
    page: origin + pagePath,
    contract: { json: `${origin}/openapi.json`, yaml: `${origin}/openapi.yaml` },
    adminApi: { url: origin + controlPrefix, ...accessOf(access) },
    commands: {
      conformance: shownCommand('conformance', [
        '--base-url',
        origin + basePath,
        ...withKey,
        '--allow-writes',
        '--json',
        'report.json',
      ]),
      vary: shownCommand('vary', ['--json', 'report.json', '--', 'npm', 'test']),
    },
  };
}

function accessOf(access: Access | undefined): { access: ControlAccess; why?: string } {
  if (access === undefined) return { access: 'off', why: adminIsOff };
  if (access.closed !== undefined) return { access: 'closed', why: access.closed };
  return { access: access.token === undefined ? 'open' : 'token' };
}
