import { splitTarget } from '../../lib/query.ts';
import { originForm, pathOf } from '../app/edge/request.ts';
import { StartError } from '../app/start-error.ts';

/** The mapping of paths between proxy and upstream. */
export interface Mapping {
  /** The base path of the proxy: `/v0.1`. */
  basePath: string;
  /** The base URL of the upstream; its path has no trailing slash. */
  upstream: URL;
}

/** The base URL of an upstream. Throws a {@link StartError}. */
export function parseUpstream(text: string): URL {
  const example = 'https://agents.example.com/v0.1';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw invalid(`The upstream must be an http or https URL, such as ${example}.`);
  }
  if (url.username !== '' || url.password !== '') throw invalid('The upstream must be a URL without a user name.');
  if (url.search !== '' || url.hash !== '') throw invalid('The upstream must be a URL without ? and #.');
  url.pathname = trimmed(url.pathname);
  return url;
}

function invalid(message: string): StartError {
  return new StartError('OPTION_INVALID', message);
}

function trimmed(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}

/** The base URL of an upstream as text, without a trailing slash. */
export function baseUrlOf({ origin, pathname }: URL): string {
  return origin + trimmed(pathname);
}

/** The target of a request at the upstream: the base path is replaced, the rest stays as it is. */
export function toUpstreamTarget({ basePath, upstream }: Mapping, target: string): string {
  const form = originForm(target);
  if (!isBelow(form, basePath)) return form;
  const mapped = trimmed(upstream.pathname) + form.slice(basePath.length);
  return mapped.startsWith('/') ? mapped : `/${mapped}`;
}

/** A `Location` of the upstream as a URL of the proxy, so that clients that follow it stay with the proxy. */
export function toOwnLocation({ basePath, upstream }: Mapping, location: string, origin: string): string {
  const isAbsolute = location === upstream.origin || location.startsWith(`${upstream.origin}/`);
  const path = isAbsolute ? location.slice(upstream.origin.length) : location;
  if (!path.startsWith('/') || path.startsWith('//')) return isAbsolute ? origin : location;
  const base = trimmed(upstream.pathname);
  const own = isBelow(path, base) ? basePath + path.slice(base.length) : path;
  return isAbsolute ? origin + own : own;
}

function isBelow(target: string, basePath: string): boolean {
  return target.startsWith(basePath) && ['/', '?', ''].includes(target.charAt(basePath.length));
}

/** A target below the base path. */
export interface Below {
  /** As the contract writes it: with unnecessary encoding decoded. */
  path: string;
  /** As it was sent. */
  sentPath: string;
  query: string;
}

/** The part of a target below the base path; undefined for other targets. */
export function belowBase(basePath: string, target: string): Below | undefined {
  const form = originForm(target);
  const [path, query] = splitTarget(form);
  const decoded = pathOf(path);
  if (!decoded.startsWith(`${basePath}/`)) return undefined;
  const sentPath = `/${path.split('/').slice(basePath.split('/').length).join('/')}`;
  return { path: decoded.slice(basePath.length), sentPath, query };
}
