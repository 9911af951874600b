/** One generator: what it makes from a document, and in which package it is. */
export interface Tool {
  /** Also the name of its use, `uses/<id>.ts`. */
  id: string;
  /** The package whose version the table shows. */
  package: string;
  /** The command, as words after `node`. It writes into `generated/`. */
  command(document: string): readonly string[];
  /** Files that the command reads, by name. */
  files?(document: string): Readonly<Record<string, string>>;
}

const bin = (path: string) => `../../node_modules/${path}`;
const json = (value: unknown) => `export default ${JSON.stringify(value, null, 2)};\n`;

/** An orval config: each target goes to `generated/<name>.ts`. */
function orval(targets: Readonly<Record<string, object>>): Pick<Tool, 'command' | 'files'> {
  return {
    command: () => [bin('orval/dist/bin/orval.js'), '--config', 'orval.config.ts'],
    files: (document) => ({
      'orval.config.ts': json(
        Object.fromEntries(
          Object.entries(targets).map(([file, output]) => [
            file,
            {
              input: document,
              output: { target: `./generated/${file}.ts`, baseUrl: 'http://127.0.0.1/v0.1', ...output },
            },
          ]),
        ),
      ),
    }),
  };
}

const kubbConfig = (document: string) => `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';

export default defineConfig({
  root: '.',
  input: { path: ${JSON.stringify(document)} },
  output: { path: './generated', clean: true, barrelType: 'named' },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch' }), pluginZod()],
});
`;

/** The generators of the matrix, in the order of the table. */
export const tools: readonly Tool[] = [
  {
    id: 'openapi-fetch',
    package: 'openapi-typescript',
    command: (document) => [bin('openapi-typescript/bin/cli.js'), document, '-o', 'generated/schema.ts'],
  },
  {
    id: 'hey-api',
    package: '@hey-api/openapi-ts',
    command: () => [bin('@hey-api/openapi-ts/bin/run.js'), '--file', 'openapi-ts.config.ts'],
    files: (document) => ({
      'openapi-ts.config.ts': json({
        input: document,
        output: { path: 'generated' },
        logs: { level: 'silent', file: false },
        plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript', 'zod'],
      }),
    }),
  },
  {
    id: 'orval',
    package: 'orval',
    ...orval({ client: { client: 'fetch', mode: 'single' }, zod: { client: 'zod', mode: 'single' } }),
  },
  {
    id: 'orval-msw',
    package: 'orval',
    ...orval({ msw: { client: 'fetch', mode: 'split', mock: { type: 'msw', delay: false } } }),
  },
  {
    id: 'kubb',
    package: '@kubb/core',
    command: () => [bin('@kubb/cli/bin/kubb.cjs'), 'generate', '--config', 'kubb.config.mjs'],
    files: (document) => ({ 'kubb.config.mjs': kubbConfig(document) }),
  },
  {
    id: 'swagger-typescript-api',
    package: 'swagger-typescript-api',
    command: (document) => [
      bin('swagger-typescript-api/dist/cli.mjs'),
      ...['generate', '-p', document, '-o', 'generated', '-n', 'api.ts'],
    ],
  },
  {
    id: 'openapi-zod-client',
    package: 'openapi-zod-client',
    command: (document) => [bin('openapi-zod-client/bin.js'), document, '-o', 'generated/client.ts'],
  },
  {
    id: 'oazapfts',
    package: 'oazapfts',
    command: (document) => [bin('oazapfts/dist/cli.js'), document, 'generated/api.ts'],
  },
  {
    id: 'openapi-typescript-codegen',
    package: 'openapi-typescript-codegen',
    command: (document) => [
      bin('openapi-typescript-codegen/bin/index.js'),
      ...['--input', document, '--output', 'generated'],
    ],
  },
  {
    id: 'typed-openapi',
    package: 'typed-openapi',
    command: (document) => [bin('typed-openapi/bin.js'), document, '-o', 'generated/api.ts'],
  },
];
