import { afterEach, beforeEach, expect } from 'vitest';
import { type SecondServer, type SecondServerOptions, startSecondServer } from './start.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** What the server answered. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** The server of the running test. */
export let server: SecondServer;

/** Starts a fresh server before each test. */
export function useServer(options: SecondServerOptions): void {
  beforeEach(async () => {
    server = await startSecondServer(options);
  });
  afterEach(async () => {
    await server.close();
  });
}

/** Puts another server in the place of the running one. */
export async function restart(options: SecondServerOptions): Promise<void> {
  await server.close();
  server = await startSecondServer(options);
}

/** Sends a request with a key; a string body goes out as it is. */
export async function call(method: string, path: string, body?: unknown, key = server.apiKey): Promise<Reply> {
  const headers: Record<string, string> = { 'x-api-key': key };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await fetch(server.baseUrl + path, { method, headers, body: sent ?? null });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The object in a success. */
export function object(reply: Reply): Json {
  expect(reply.status).toBeGreaterThanOrEqual(200);
  expect(reply.status).toBeLessThan(300);
  return JSON.parse(reply.text) as Json;
}

/** The array in a 200. */
export function array(reply: Reply): Json[] {
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as Json[];
}

/** Any 4xx with a JSON body. */
export function expectRefused(reply: Reply): void {
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.status).toBeLessThan(500);
  expect(reply.headers.get('content-type')).toContain('application/json');
  expect(JSON.parse(reply.text)).toBeTruthy();
}

/** Asks again until the answer satisfies the check, for two seconds at most. */
export async function eventually(check: () => Promise<boolean>): Promise<void> {
  await expect.poll(check, { timeout: 2_000, interval: 10 }).toBe(true);
}

/** Path of a file. */
export const filePath = (file: { driveId: string; id: string }) =>
  `/drives/${encodeURIComponent(file.driveId)}/files/${encodeURIComponent(file.id)}`;

/** Path and query of a tree. */
export const treeUrl = (driveId: string, path: string) =>
  `/drives/${encodeURIComponent(driveId)}/items/tree?${new URLSearchParams({ [server.treePathParameter]: path })}`;

/** The first file that may be moved. */
export const firstFile = () => server.files[0] ?? { driveId: '', id: '' };

/** Path to publish the offered agent. */
export const publishPath = () => `/agents/${encodeURIComponent(server.agent.id)}/publish`;

/** The drives on one page. */
export async function driveItems(query = 'limit=100', key = server.apiKey): Promise<Json[]> {
  return object(await call('GET', `/drives?${query}`, undefined, key)).data as Json[];
}

/** Microseconds and the long way to write UTC. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
