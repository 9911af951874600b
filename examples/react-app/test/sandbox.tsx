/**
 * A sandbox for each test: a made-up key, which opens a fresh copy of the mock's data. The mock is behind MSW, in this
 * process; `vary` names another one, which listens. The tests are the same.
 */

import { render } from '@testing-library/react';
import { createHandlers } from 'agent-platform-contract/msw';
import { setupServer } from 'msw/node';
import { createApi } from '../src/api.ts';
import { App } from '../src/app.tsx';
import { createQueryClient } from '../src/use-api.ts';

const running = process.env.AGENT_PLATFORM_BASE_URL;
const baseUrl = running ?? 'http://localhost/v0.1';

export const server = setupServer(...(running === undefined ? createHandlers({ baseUrl, openKeys: true }) : []));

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

export async function openSandbox({ isEmpty = false } = {}) {
  const key = `test-${crypto.randomUUID()}`;
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  if (isEmpty) await control('POST', '/organizations', { key, copyOf: null });

  /** What the API itself cannot do: see the guide on the admin API. */
  async function control(method: string, path: string, body?: unknown) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(new URL(`/__admin${path}`, baseUrl), { method, headers, ...sent });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  /** Strikes the calls of this sandbox alone. */
  const addFault = (fault: object) => control('POST', '/faults', { organizationId: 'self', ...fault });

  return { api: createApi({ baseUrl, headers }), control, addFault };
}

/** Nobody who is known to the service. */
export const stranger = () => createApi({ baseUrl });

/** Opens a screen of the app. */
export function show(hash: string, { api }: Pick<Sandbox, 'api'>, settings: { slowAfterMs?: number } = {}) {
  location.hash = hash;
  return render(<App api={api} queryClient={createQueryClient(1)} {...settings} />);
}
