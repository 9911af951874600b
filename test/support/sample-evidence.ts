import type { Evidence } from '../../conformance/report/report.ts';
import type { Exchange } from '../../conformance/target/reply.ts';

export const baseUrl = 'https://staging.agents.example.com/v0.1';
export const driveId = '637fc2c0-603b-46ce-8145-f32fb750bbe3';
const fileUrl = `${baseUrl}/drives/${driveId}/files/7d1ea241-0ef8-4806-9c04-244b462fd64b`;

const answerHeaders = {
  date: 'Fri, 20 Nov 2026 09:14:09 GMT',
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_01JD4W8Q2V',
  server: 'envoy',
};

interface Exchanged {
  sent?: unknown;
  status: number;
  body: unknown;
  type?: string;
}

function exchange(method: string, url: string, { sent, status, body, type }: Exchanged): Exchange {
  const headers = {
    'x-api-key': '<API_KEY>',
    accept: 'application/json',
    'user-agent': 'agent-platform-contract/0.1.0',
  };
  const content =
    sent === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(sent) };
  return {
    request: { method, url, ...content },
    response: {
      status,
      headers: { ...answerHeaders, ...(type && { 'content-type': type }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    durationMs: 34,
  };
}

export const file = {
  kind: 'file',
  id: '7d1ea241-0ef8-4806-9c04-244b462fd64b',
  name: 'meridian-logo.svg',
  path: '/logos/meridian-logo.svg',
  status: 'ready',
  modifiedAt: '2026-01-05T10:16:03.000Z',
  size: 6310,
  contentType: 'image/svg+xml',
  description: 'The logo for light backgrounds',
};

export const acceptedPath: Evidence = {
  expected: 'a refusal: any 4xx status (the code is open), and the file stays where it was',
  actual: 'status 200; the file is now at "/../a"',
  smallest: '{"path":"/../a"}',
  exchanges: [
    ...['/conformance-k7m2x9/a', '/../a'].map((path) =>
      exchange('PATCH', fileUrl, { sent: { path }, status: 200, body: { ...file, name: 'a', path } }),
    ),
  ],
  curl: `curl -i -X PATCH -H "X-API-Key: $AGENT_PLATFORM_API_KEY" -H 'Content-Type: application/json' -d '{"path":"/../a"}' '${fileUrl}'`,
};

const errorPage = `<!doctype html>
<html><head><title>500 Internal Server Error</title></head>
<body><h1>Internal Server Error</h1><p>upstream connect error or disconnect/reset before headers. retried and the latest reset reason: connection timeout</p></body></html>`;

export const refusedLimit: Evidence = {
  expected: 'a page of drives: any 2xx status but 204 and 205 (the code is open)',
  actual: 'status 500 with an HTML page',
  exchanges: [exchange('GET', `${baseUrl}/drives?limit=100`, { status: 500, body: errorPage, type: 'text/html' })],
  curl: `curl -i -H "X-API-Key: $AGENT_PLATFORM_API_KEY" '${baseUrl}/drives?limit=100'`,
};

export const createdDrive = {
  id: '4b741fd3-7bdd-4940-9d7a-42ff43b44faf',
  organizationId: 'db1cd703-2da2-49d7-bc31-35fd66156c6f',
  name: 'conformance-k7m2x9-1',
  createdAt: '2026-11-20T10:14:08+01:00',
  updatedAt: '2026-11-20T10:14:08+01:00',
};

export const localTime: Evidence = {
  expected: 'createdAt and updatedAt with the offset Z or +00:00',
  actual: 'createdAt is "2026-11-20T10:14:08+01:00"; updatedAt is "2026-11-20T10:14:08+01:00"',
  exchanges: [
    exchange('POST', `${baseUrl}/drives`, { sent: { name: 'conformance-k7m2x9-1' }, status: 201, body: createdDrive }),
  ],
  curl: `curl -i -H "X-API-Key: $AGENT_PLATFORM_API_KEY" -H 'Content-Type: application/json' -d '{"name":"conformance-k7m2x9-1"}' '${baseUrl}/drives'`,
};

export const forbidden: Evidence = {
  expected: 'status 401',
  actual: 'status 403',
  exchanges: [exchange('GET', `${baseUrl}/agents`, { status: 403, body: { message: 'Forbidden' } })],
  curl: `curl -i '${baseUrl}/agents'`,
};

export const textRefusal: Evidence = {
  expected: 'no body, or a body of JSON',
  actual: 'a body that is not JSON: "no such file"',
  exchanges: [
    exchange('GET', `${fileUrl.slice(0, -4)}0000`, { status: 404, body: 'no such file', type: 'text/plain' }),
  ],
};

export const lagging: Evidence = {
  expected: 'pages that hold each drive once',
  actual: '2 drives stand on two pages: 637fc2c0 and 9f21ab07',
  exchanges: [
    exchange('GET', `${baseUrl}/drives?limit=2&offset=2`, {
      status: 200,
      body: { data: [createdDrive], pagination: { limit: 2, offset: 2, total: 5 } },
    }),
  ],
};

/** A response that differs from what was expected. */
export const evidenceOf = (actual: string, status = 500) => ({
  expected: 'any 2xx status',
  actual,
  exchanges: [
    {
      request: { method: 'GET', url: `https://target.test/${actual}`, headers: {} },
      response: { status, headers: {}, body: 'oops' },
      durationMs: 5,
    },
  ],
});
