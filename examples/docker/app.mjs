const { AGENT_PLATFORM_BASE_URL: baseUrl, AGENT_PLATFORM_API_KEY: key = '' } = process.env;

const response = await fetch(`${baseUrl}/drives?limit=100&offset=0`, { headers: { 'X-API-Key': key } });
const { data } = await response.json();
console.log(`${response.status}: ${data.length} drives`);
