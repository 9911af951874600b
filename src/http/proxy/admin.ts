import type { IncomingMessage, ServerResponse } from 'node:http';
import { nearest } from '../../../openapi/contract/nearest.ts';
import { hostOf } from '../target.ts';
import type { ProxyExchange } from './exchange.ts';
import { sideOf } from './exchange.ts';
import type { Journal } from './journal.ts';
import type { ProxySummary } from './summary.ts';
import { originForm } from './target.ts';

/** What the control plane of a proxy shows. */
export interface AdminView {
  journal: Journal<ProxyExchange>;
  summary(): ProxySummary;
}

interface AdminAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const prefix = '/__admin';

/** Whether a request is for the proxy itself, and not for the upstream. */
export function isAdmin(target: string): boolean {
  const form = originForm(target);
  return form.startsWith(prefix) && ['/', '?', ''].includes(form.charAt(prefix.length));
}

/** Answers a request to the control plane of the proxy. */
export function answerAdmin(view: AdminView, request: IncomingMessage, response: ServerResponse): void {
  const { status, body, headers = {} } = refuseForeign(request) ?? route(view, request);
  const text = body === undefined ? '' : `${JSON.stringify(body)}\n`;
  const mediaType = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, {
    ...headers,
    'cache-control': 'no-store',
    ...(status === 204 ? {} : { 'content-type': mediaType, 'content-length': Buffer.byteLength(text) }),
  });
  response.end(text);
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
const loopbackAddress = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;

// A page on the web may send a simple request to this machine, and may have its own name resolved to it.
function refuseForeign({ headers, socket }: IncomingMessage): AdminAnswer | undefined {
  const host = hostOf(headers);
  if (!loopbackAddress.test(socket.remoteAddress ?? '')) return problem(403, 'Only this machine may ask.');
  if (host === undefined || !loopback.test(host))
    return problem(403, 'Host must name this machine: 127.0.0.1 or localhost.');
  const { origin } = headers;
  if (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) return undefined;
  return problem(403, 'No page of another origin may ask. Send no Origin.');
}

type Handler = (view: AdminView, query: URLSearchParams) => AdminAnswer;

const routes: Record<string, Record<string, Handler>> = {
  '/health': { GET: ({ summary }) => ({ status: 200, body: { status: 'healthy', upstream: summary().upstream } }) },
  '/requests': {
    GET: listRequests,
    DELETE: ({ journal }) => {
      journal.clear();
      return { status: 204 };
    },
  },
  '/summary': { GET: ({ summary }) => ({ status: 200, body: summary() }) },
};

function route(view: AdminView, { url = '', method = 'GET' }: IncomingMessage): AdminAnswer {
  const [path = '', query = ''] = originForm(url).slice(prefix.length).split('?', 2);
  const handlers = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (handlers === undefined)
    return problem(
      404,
      `There is: ${Object.keys(routes)
        .map((each) => prefix + each)
        .join(', ')}.`,
    );
  const handler = handlers[method === 'HEAD' ? 'GET' : method];
  if (handler !== undefined) return handler(view, new URLSearchParams(query));
  const allow = Object.keys(handlers).join(', ');
  return { ...problem(405, `${method} is not for this path. Allowed: ${allow}.`), headers: { allow } };
}

const filters: Record<string, (exchange: ProxyExchange, wanted: string) => boolean> = {
  status: ({ status }, wanted) => new RegExp(`^${wanted.replaceAll(/x/gi, '\\d')}$`).test(String(status)),
  operation: ({ operation }, wanted) => operation === wanted,
  side: ({ violations }, wanted) => violations.some((violation) => sideOf(violation) === wanted),
};

const wellFormed: Record<string, RegExp> = {
  status: /^\d(?:\d\d|xx)$/i,
  operation: /^\w+$/,
  side: /^(?:client|server)$/,
};

function listRequests({ journal }: AdminView, query: URLSearchParams): AdminAnswer {
  const wanted = [...query];
  const unknown = wanted.find(([name]) => !Object.hasOwn(filters, name));
  if (unknown !== undefined) return problem(400, unknownFilter(unknown[0]));
  const wrong = wanted.find(([name, value]) => wellFormed[name]?.test(value) !== true);
  if (wrong !== undefined)
    return problem(400, `${wrong[0]} is not right: status=404, status=4xx, operation=listDrives, side=server.`);
  const requests = journal.entries.filter((each) => wanted.every(([name, value]) => filters[name]?.(each, value)));
  return { status: 200, body: { requests, total: requests.length, dropped: journal.dropped } };
}

function unknownFilter(name: string): string {
  const meant = nearest(name, Object.keys(filters));
  return `There is no filter ${name.slice(0, 40)}. ${meant === undefined ? `There is: ${Object.keys(filters).join(', ')}.` : `Did you mean ${meant}?`}`;
}

function problem(status: number, detail: string): AdminAnswer {
  const titles: Record<number, string> = {
    400: 'Invalid input',
    403: 'Forbidden',
    404: 'Unknown path',
    405: 'Method not allowed',
  };
  return { status, body: { type: 'about:blank', title: titles[status], status, detail } };
}
