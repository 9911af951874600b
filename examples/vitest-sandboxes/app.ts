/** What is tested: the part of a frontend that speaks to the API. */
import type { components } from 'agent-platform-contract';

/** All fields of a new drive are stated. Those of a listed one are not: a page may lack any of them. */
type NewDrive = Required<components['schemas']['Drive']>;
type DrivePage = components['schemas']['DrivePage'];
type DriveFile = components['schemas']['DriveFile'];

export interface Api {
  baseUrl: string;
  apiKey: string;
}

const pageSize = 100;

/** The names of all drives, page by page, in the order in which the frontend shows them. */
export async function driveNames(api: Api): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const { data } = await send<DrivePage>(api, 'GET', `/drives?limit=${pageSize}&offset=${names.length}`);
    names.push(...data.map(({ name }) => name ?? 'Unnamed'));
    if (data.length < pageSize) return names.sort();
  }
}

export function createDrive(api: Api, name: string): Promise<NewDrive> {
  return send(api, 'POST', '/drives', { name });
}

/** The path of a file, or undefined when it is gone. */
export async function pathOf(api: Api, driveId: string, fileId: string): Promise<string | undefined> {
  const file = await send<DriveFile>(api, 'GET', `/drives/${driveId}/files/${fileId}`).catch(() => undefined);
  return file?.path;
}

export function moveFile(api: Api, driveId: string, fileId: string, path: string): Promise<DriveFile> {
  return send(api, 'PATCH', `/drives/${driveId}/files/${fileId}`, { path });
}

export function deleteFolder(api: Api, driveId: string, path: string): Promise<unknown> {
  return send(api, 'DELETE', `/drives/${driveId}/items/tree?${new URLSearchParams({ path })}`);
}

async function send<Body>({ baseUrl, apiKey }: Api, method: string, path: string, body?: unknown): Promise<Body> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const response = await fetch(baseUrl + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}.`);
  return response.json();
}
