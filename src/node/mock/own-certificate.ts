import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

// X.509 (RFC 5280) in DER, as far as one certificate needs it. Node creates and encodes keys and signature; a library
// for the rest would bring twenty packages.

const validForMs = 365 * 24 * 60 * 60 * 1000;
// For clients whose clocks are slow.
const earlierMs = 24 * 60 * 60 * 1000;

/** Makes a self-signed certificate for this machine and `host`, and its key. */
export function createOwnCertificate(host: string): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const content = sequence(
    explicit(0, integer(Buffer.of(2))),
    // The serial number must be positive, so the first byte is fixed.
    integer(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    ecdsaWithSha256,
    subject,
    sequence(time(now - earlierMs), time(now + validForMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(namesFor(host)))),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = new X509Certificate(sequence(content, ecdsaWithSha256, bits(signature)));
  return { cert: certificate.toString(), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** The names and addresses of a certificate for `host`. If it means all addresses: those of this machine. */
function namesFor(host: string): string[] {
  const [address = ''] = host.split('%');
  const own = ['localhost', '127.0.0.1', '::1'];
  const isAll = ['0.0.0.0', '::', ''].includes(address);
  const named = isIP(address) === 0 ? domainToASCII(address) : address;
  return isAll || named === '' ? own : [...new Set([...own, named])];
}

function extensions(names: readonly string[]): Buffer[] {
  return [
    // It cannot sign other certificates.
    extension(oids.basicConstraints, sequence(), true),
    extension(oids.keyUsage, tagged(0x03, Buffer.of(7, 0x80)), true),
    extension(oids.extendedKeyUsage, sequence(oid(oids.serverAuthentication))),
    extension(oids.subjectAltName, sequence(...names.map(generalName))),
  ];
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.of(0xff))] : [];
  return sequence(oid(id), ...critical, tagged(0x04, value));
}

function generalName(name: string): Buffer {
  if (isIP(name) === 0) return tagged(0x82, Buffer.from(name, 'ascii'));
  return tagged(0x87, isIP(name) === 4 ? Buffer.from(name.split('.').map(Number)) : bytesOfIpv6(name));
}

function bytesOfIpv6(address: string): Buffer {
  // In canonical form: only groups of hexadecimal digits, with at most one `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...gap, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

// Object identifiers, encoded.
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  extendedKeyUsage: '551d25',
  serverAuthentication: '2b06010505070301',
  subjectAltName: '551d11',
} as const;

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...parts);
}

function explicit(number: number, part: Buffer): Buffer {
  return tagged(0xa0 + number, part);
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function oid(encoded: string): Buffer {
  return tagged(0x06, Buffer.from(encoded, 'hex'));
}

function bits(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.of(0), bytes);
}

// In seconds. The year has four digits only from 2050 on (RFC 5280).
function time(timeMs: number): Buffer {
  const text = `${new Date(timeMs).toISOString().replaceAll(/[-T:]/g, '').slice(0, 14)}Z`;
  return text < '2050' ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}

const ecdsaWithSha256 = sequence(oid(oids.ecdsaWithSha256));
const subject = sequence(
  tagged(0x31, sequence(oid(oids.commonName), tagged(0x0c, Buffer.from('Agent Platform mock')))),
);
