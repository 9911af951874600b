import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartError } from '../start-error.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** The certificate of the options; undefined without one. Throws a {@link StartError}. */
export function loadTls({ httpsCert, httpsKey }: { httpsCert?: string; httpsKey?: string }): Tls | undefined {
  if (httpsCert === undefined && httpsKey === undefined) return undefined;
  if (httpsCert === undefined || httpsKey === undefined)
    throw new StartError('OPTION_INVALID', 'https needs a certificate and its key: --https-cert and --https-key.');
  const tls = { cert: readText(httpsCert), key: readText(httpsKey) };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const message = `${httpsCert} and ${httpsKey} are not a certificate and its key. Both files must be PEM.`;
    throw new StartError('OPTION_INVALID', message, { cause: error });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const message = `${file} cannot be read. Check that it exists and that you may read it.`;
    throw new StartError('FILE_UNREADABLE', message, { cause: error });
  }
}
