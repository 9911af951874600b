import { StartError } from '../app/start-error.ts';
import { readText } from './read-text.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  cert: string;
  key: string;
}

interface TlsOptions {
  httpsCert?: string;
  httpsKey?: string;
}

/** The certificate and key from the options; undefined without HTTPS. Throws a {@link StartError}. */
export async function loadTls({ httpsCert, httpsKey }: TlsOptions): Promise<Tls | undefined> {
  if (httpsCert === undefined && httpsKey === undefined) return undefined;
  if (httpsCert !== undefined && httpsKey !== undefined) return readTls(httpsCert, httpsKey);
  const message = 'HTTPS needs a certificate and its key: give both httpsCert and httpsKey.';
  throw new StartError('OPTION_INVALID', message);
}

async function readTls(certificateFile: string, keyFile: string): Promise<Tls> {
  const { createSecureContext } = await import('node:tls');
  const tls = { cert: readPem(certificateFile), key: readPem(keyFile) };
  if (tls.key.includes('ENCRYPTED')) {
    const remedy = 'Remove it with: openssl pkey -in <file> -out <new file>.';
    throw new StartError('OPTION_INVALID', `The key in ${keyFile} has a passphrase. ${remedy}`);
  }
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const message = `${certificateFile} and ${keyFile} are not a certificate and its key. Both files must be PEM.`;
    throw new StartError('OPTION_INVALID', message, { cause: error });
  }
}

// Node takes an empty text for none, and would then refuse all clients.
function readPem(file: string): string {
  const text = readText(file);
  if (text.includes('-----BEGIN')) return text;
  throw new StartError('OPTION_INVALID', `${file} must be PEM: a text with a line that starts with -----BEGIN.`);
}
