/** Shows the drives in an element. `fetch` is that of the page, or of a test. */
async function showDrives(element, { baseUrl, key, fetch = globalThis.fetch }) {
  const response = await fetch(`${baseUrl}/drives?limit=100&offset=0`, { headers: { 'X-API-Key': key } });
  if (!response.ok) {
    element.textContent = 'The drives could not be loaded.';
    return;
  }
  const { data } = await response.json();
  element.replaceChildren(
    ...data.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })),
  );
}

module.exports = { showDrives };
