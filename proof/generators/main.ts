/**
 * Shows what client generators make of the contract: `npm run generators`. First of `openapi.yaml`, which leaves codes and
 * bodies open, then of `openapi.default.yaml`. Exit code 1 if a generator fails on the second.
 */
import { fileURLToPath } from 'node:url';
import { createMock } from '../../src/index.ts';
import { installTools, type Made, make, targetOf } from './matrix.ts';
import { tools } from './tools.ts';

const documentAt = (name: string) => fileURLToPath(new URL(`../../openapi/${name}`, import.meta.url));

async function judged(made: Made): Promise<string> {
  if (made.use === undefined) return made.problem ?? 'no client';
  const mock = await createMock();
  try {
    const { calls, validations } = await made.use(targetOf(mock));
    return validations === 0 ? `${calls} of 10 calls` : `${calls} of 10 calls, ${validations} answers validated`;
  } catch (error) {
    return `fails: ${String(error).split('\n')[0]}`;
  } finally {
    await mock.close();
  }
}

async function main(): Promise<number> {
  const installed = await installTools();
  console.log('| generator | version | `openapi.yaml` | `openapi.default.yaml` |\n| --- | --- | --- | --- |');
  let isRight = true;
  for (const tool of tools) {
    const [open, applied] = [
      await make(installed, tool, documentAt('openapi.yaml'), 'open'),
      await make(installed, tool, documentAt('openapi.default.yaml'), 'default'),
    ];
    const results = [await judged(open), await judged(applied)].map((text) =>
      text.slice(0, 120).replaceAll('|', '\\|'),
    );
    isRight &&= results[1]?.startsWith('10 of 10') ?? false;
    console.log(`| ${tool.id} | ${applied.version} | ${results.join(' | ')} |`);
  }
  return isRight ? 0 : 1;
}

process.exitCode = await main();
