'use client';

import { useEffect, useState } from 'react';

/** The drives, from the route handler: the page never sees the API key. */
export function DriveList() {
  const [state, setState] = useState({ status: 'Loading', names: [] });

  async function create(formData) {
    const name = formData.get('name');
    const response = await fetch('/api/drives', { method: 'POST', body: JSON.stringify({ name }) });
    if (!response.ok) return setState(({ names }) => ({ status: 'The drive could not be created.', names }));
    // The contract does not promise that it is listed immediately.
    for (let tries = 0; tries < 10; tries++) {
      const loaded = await loadDrives();
      setState(loaded);
      if (loaded.names.includes(name)) return;
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  useEffect(() => {
    loadDrives().then(setState);
  }, []);

  return (
    <>
      <form action={create}>
        <label>
          Name <input name="name" required />
        </label>
        <button type="submit">Create</button>
      </form>
      <ul>
        {state.names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two drives may have one name
          <li key={index}>{name}</li>
        ))}
      </ul>
      <p role="status">{state.status}</p>
    </>
  );
}

async function loadDrives() {
  const response = await fetch('/api/drives');
  if (!response.ok) return { status: 'The drives could not be loaded.', names: [] };
  const names = await response.json();
  return { status: `${names.length} drives`, names };
}
