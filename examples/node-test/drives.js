/** The names of the first hundred drives. */
export async function listDriveNames({ baseUrl, key }) {
  const response = await fetch(`${baseUrl}/drives?limit=100&offset=0`, { headers: { 'X-API-Key': key } });
  if (!response.ok) throw new Error(`The drives could not be loaded (${response.status}).`);
  const { data } = await response.json();
  return data.map(({ name }) => name);
}

export async function createDrive({ baseUrl, key }, name) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${baseUrl}/drives`, { method: 'POST', headers, body: JSON.stringify({ name }) });
  if (!response.ok) throw new Error(`The drive could not be created (${response.status}).`);
}
