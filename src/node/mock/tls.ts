import { closeSync, constants, existsSync, openSync, statSync, writeFileSync } from 'node:fs';
import { mockOptions } from '../../workbench/options.ts';
import { StartError } from '../../workbench/start-error.ts';
import { readText } from '../read-text.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** The options for HTTPS. */
interface TlsOptions {
  https?: boolean;
  httpsWriteCert?: string;
  httpsCert?: string;
  httpsKey?: string;
  host?: string;
}

/** The certificate from the options, or a generated one; undefined without HTTPS. Throws a {@link StartError}. */
export async function loadTls(options: TlsOptions): Promise<Tls | undefined> {
  const { https = false, httpsWriteCert, httpsCert, httpsKey, host = mockOptions.host.default } = options;
  if (https) {
    if (httpsWriteCert !== undefined) requireReplaceable(httpsWriteCert);
    const { createOwnCertificate } = await import('./own-certificate.ts');
    return createOwnCertificate(host);
  }
  if (httpsWriteCert !== undefined)
    throw new StartError('OPTION_INVALID', '--https-write-cert does nothing without --https. Add it.');
  if (httpsCert === undefined && httpsKey === undefined) return undefined;
  if (httpsCert === undefined || httpsKey === undefined) {
    const remedy = 'Give both, or use --https for a self-signed certificate generated at startup.';
    throw new StartError(
      'OPTION_INVALID',
      `HTTPS needs a certificate and its key: --https-cert and --https-key. ${remedy}`,
    );
  }
  return readTls(httpsCert, httpsKey);
}

/** Writes the certificate to the file in the options, once the mock listens: until then, the old one may be in use. */
export function writeCertificate({ httpsWriteCert }: TlsOptions, tls: Tls | undefined): void {
  if (httpsWriteCert !== undefined && tls !== undefined) writeText(httpsWriteCert, tls.cert);
}

/** Throws if a file contains anything but certificates. An empty file has nothing to lose. */
function requireReplaceable(file: string): void {
  if (!existsSync(file) || !statSync(file).isFile()) return;
  const text = readText(file);
  const isCertificate =
    text.includes('-----BEGIN CERTIFICATE-----') && !/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);
  if (isCertificate || text.trim() === '') return;
  const remedy = 'Choose a different file for --https-write-cert, or remove this one.';
  throw new StartError(
    'FILE_UNWRITABLE',
    `${file} already exists and is not just a certificate, so it was not overwritten. ${remedy}`,
  );
}

async function readTls(certificateFile: string, keyFile: string): Promise<Tls> {
  const { createSecureContext } = await import('node:tls');
  const tls = { cert: readText(certificateFile), key: readText(keyFile) };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const message = `${certificateFile} and ${keyFile} are not a certificate and its key. Both files must be PEM.`;
    throw new StartError('OPTION_INVALID', message, { cause: error });
  }
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;

function writeText(file: string, text: string): void {
  try {
    // Not through a link: whoever created it would choose which file is replaced.
    const descriptor = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    writeFileSync(descriptor, text);
    closeSync(descriptor);
  } catch (error) {
    const message = `${file} cannot be written. Check that its folder exists and that you may write there.`;
    throw new StartError('FILE_UNWRITABLE', message, { cause: error });
  }
}
