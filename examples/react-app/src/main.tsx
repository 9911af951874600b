import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi } from './api.ts';
import { App } from './app.tsx';
import { createQueryClient } from './use-api.ts';
import './style.css';

// No key: that of an organization does not belong in a page. The server of the page adds it; in development Vite does.
const api = createApi({ baseUrl: new URL('/v0.1', location.href).href });
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App api={api} queryClient={createQueryClient()} />
    </StrictMode>,
  );
}
