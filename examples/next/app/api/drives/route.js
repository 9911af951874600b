/** The route handler: it adds the key, and passes on what the page needs. The service, or the mock, is named at run time. */
export async function GET() {
  const response = await callService('?limit=100&offset=0');
  if (!response.ok) return Response.json({ service: response.status }, { status: 502 });
  const { data } = await response.json();
  return Response.json(data.map(({ name }) => name));
}

export async function POST(request) {
  const { name } = await request.json();
  const response = await callService('', { method: 'POST', body: JSON.stringify({ name }) });
  return response.ok
    ? new Response(null, { status: 204 })
    : Response.json({ service: response.status }, { status: 502 });
}

function callService(query, options) {
  const { AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_API_KEY } = process.env;
  const headers = { 'X-API-Key': AGENT_PLATFORM_API_KEY ?? 'demo-key', 'Content-Type': 'application/json' };
  return fetch(`${AGENT_PLATFORM_BASE_URL}/drives${query}`, { ...options, headers, cache: 'no-store' });
}
