import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The MCP servers that may be contacted: by host and port of their URL, and by the address of the host. */
export type AllowedHosts = ReturnType<typeof allowedHosts>;

/** An allowed host, from `<host>[:port]`. */
interface HostRule {
  /** In the spelling of URLs; `*` is every host with a public address. */
  host: string;
  /** Absent: any port. */
  port: string | undefined;
}

export function parseHostRule(text: string): HostRule | undefined {
  const [, host = '', port] = /^(\*|\[[\da-f:.]+\]|[^\s:/?#@[\]\\%*]+)(?::(\d{1,5}))?$/i.exec(bracketed(text)) ?? [];
  if (host === '' || Number(port ?? 1) > 65_535 || port === '0') return undefined;
  if (host === '*') return { host, port };
  return URL.canParse(`http://${host}`) ? { host: hostOf(new URL(`http://${host}`)), port } : undefined;
}

function bracketed(text: string): string {
  return isIPv6(text) ? `[${text}]` : text;
}

/**
 * This machine (by a loopback address, or by the name localhost) is always allowed. A name may lead only to public
 * addresses, or to one that is itself allowed: whoever controls a name must not reach internal hosts.
 */
export function allowedHosts(rules: readonly HostRule[]) {
  const hasRule = (url: URL, host: string) =>
    rules.some((rule) => rule.host === host && (rule.port === undefined || rule.port === portOf(url)));
  const allows = (url: URL) => {
    const host = hostOf(url);
    if (isLoopback(host) || hasRule(url, host)) return true;
    return hasRule(url, '*') && (isIP(host) === 0 || isPublic(host));
  };
  // Whether a connection for this URL may go to this address.
  const allowsAddress = (url: URL, address: string) =>
    isLoopback(hostOf(url)) ? isLoopback(address) : isPublic(address) || hasRule(url, address);
  return { allows, allowsAddress };
}

/** Whether a URL, or the address that it leads to, is a port of this machine. */
export function leadsHere(url: URL, port: number | undefined, address = hostOf(url)): boolean {
  if (port === undefined || portOf(url) !== String(port)) return false;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isLoopback(plain) || isUnspecified(plain) || addressesHere().includes(plain);
}

// A connection to the unspecified address goes to this machine.
function isUnspecified(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('0.') : /^[0:]+$/.test(address);
}

function addressesHere(): string[] {
  return Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
}

/** The host of a URL as rules and addresses spell it: without brackets or a trailing dot. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? ({ 'http:': '80', 'https:': '443' }[protocol] ?? '') : port;
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}

function isPublic(address: string): boolean {
  return !inner.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

type Subnet = [network: string, prefix: number];

const loopbackSubnets: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

// Not on the public internet: private, shared, link-local, multicast and reserved addresses, and IPv6 addresses that
// embed an IPv4 address.
const innerSubnets: readonly Subnet[] = [
  ...loopbackSubnets,
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

const loopback = blockListOf(loopbackSubnets);
const inner = blockListOf(innerSubnets);

function blockListOf(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list;
}
