const { AGENT_PLATFORM_BASE_URL: baseUrl, AGENT_PLATFORM_API_KEY: key = '' } = process.env;

const response = await fetch(`${baseUrl}/drives`, { headers: { 'X-API-Key': key } });
const { pagination } = await response.json();
console.log(`${response.status}: ${pagination.total} drives`);
