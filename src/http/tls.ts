import { readFileText } from '../../lib/file-text.ts';
import { StartError } from '../app/start-error.ts';
import { orStartError } from './or-start-error.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** The certificate and key from the options; undefined without HTTPS. Throws a {@link StartError}. */
export async function loadTls({ httpsCert, httpsKey }: { httpsCert?: string; httpsKey?: string }) {
  if (httpsCert === undefined && httpsKey === undefined) return undefined;
  if (httpsCert === undefined || httpsKey === undefined) {
    const message = 'HTTPS needs a certificate and its key: give both httpsCert and httpsKey.';
    throw new StartError('OPTION_INVALID', message);
  }
  const { createSecureContext } = await import('node:tls');
  const tls: Tls = { cert: readPem(httpsCert), key: readPem(httpsKey) };
  if (tls.key.includes('ENCRYPTED')) {
    const remedy = 'Remove it with: openssl pkey -in <file> -out <new file>.';
    throw new StartError('OPTION_INVALID', `The key in ${httpsKey} has a passphrase. ${remedy}`);
  }
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const message = `${httpsCert} and ${httpsKey} are not a certificate and its key. Both files must be PEM.`;
    throw new StartError('OPTION_INVALID', message, { cause: error });
  }
}

// Node takes an empty text for none, and would then refuse all clients.
function readPem(file: string): string {
  const text = orStartError('FILE_MALFORMED', () => readFileText(file));
  if (text.includes('-----BEGIN')) return text;
  throw new StartError('OPTION_INVALID', `${file} must be PEM: a text with a line that starts with -----BEGIN.`);
}
