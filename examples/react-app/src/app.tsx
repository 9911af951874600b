import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Agents } from './agents.tsx';
import type { Api } from './api.ts';
import { Drives } from './drives.tsx';
import { Files } from './files.tsx';
import { McpServers } from './mcp-servers.tsx';
import { useRoute } from './route.ts';
import { SettingsContext } from './use-api.ts';

const screens = [
  ['agents', 'Agents'],
  ['drives', 'Drives'],
  ['mcp-servers', 'MCP servers'],
] as const;

interface AppProps {
  api: Api;
  queryClient: QueryClient;
  slowAfterMs?: number;
}

export function App({ api, queryClient, slowAfterMs = 5000 }: AppProps) {
  const [screen = '', id] = useRoute();
  return (
    <QueryClientProvider client={queryClient}>
      <SettingsContext value={{ api, slowAfterMs }}>
        <header>
          <strong>Agent platform</strong>
          <Navigation current={screen || 'agents'} />
        </header>
        <main>
          <Screen screen={screen} id={id} />
        </main>
      </SettingsContext>
    </QueryClientProvider>
  );
}

function Navigation({ current }: { current: string }) {
  return (
    <nav aria-label="Screens">
      {screens.map(([name, title]) => (
        <a key={name} href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function Screen({ screen, id }: { screen: string; id: string | undefined }) {
  if (screen === 'drives') return id ? <Files key={id} driveId={id} /> : <Drives />;
  if (screen === 'mcp-servers') return <McpServers />;
  return <Agents />;
}
