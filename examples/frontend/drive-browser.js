// The data side of a small drive browser: what its pages show, without the pages.
// It works with the service as its team imagined it; `agent-platform-contract vary` says where the contract promises less.

export function createDriveBrowser({ baseUrl, apiKey }) {
  async function call(method, path, body) {
    const headers = { 'X-API-Key': apiKey, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(baseUrl + path, { method, headers, ...payload });
  }

  return {
    /** Every drive, page by page. */
    async drives(pageSize = 100) {
      const drives = [];
      for (let isLast = false; !isLast; ) {
        const response = await call('GET', `/drives?limit=${pageSize}&offset=${drives.length}`);
        if (!response.ok) throw new Error('The drives cannot be shown.');
        const { data } = await response.json();
        drives.push(...data);
        isLast = data.length < pageSize;
      }
      return drives;
    },

    /** The new drive. */
    async createDrive(name) {
      const response = await call('POST', '/drives', { name });
      if (response.status !== 201) throw new Error(`The drive "${name}" could not be created.`);
      return response.json();
    },

    /** The names of the tools of an MCP server, or what to show in their place. */
    async tools(mcpServerId) {
      const response = await call('GET', `/mcp-servers/${mcpServerId}/tools`);
      if (response.ok) return { names: (await response.json()).tools.map(({ name }) => name) };
      if (response.status === 401) return { notice: 'Please sign in again.' };
      const { message } = await response.json();
      return { notice: `No tools: ${message}` };
    },
  };
}

/** The drives for the page "Recent", the newest first. */
export function newestFirst(drives) {
  return drives.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
