import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../support/command.ts';
import { once } from '../support/once.ts';

const module = new URL('../support/once.ts', import.meta.url).href;

it('fills a folder once, whoever asks at the same time or later, in whichever process', async () => {
  const name = randomUUID();
  let fills = 0;
  const fill = async (folder: string) => writeFileSync(join(folder, 'filled'), `by ${++fills}`);
  const elsewhere = `import { once } from ${JSON.stringify(module)};
    console.log(await once('${name}', () => Promise.reject(new Error('filled again'))));`;
  const both = await Promise.all([once(name, fill), once(name, fill)]);
  const { code, stdout } = await runProgram(['--input-type=module', '--eval', elsewhere], {
    TMPDIR: process.env.TMPDIR ?? '',
  });
  expect({ code, folders: [...both, stdout.trim()] }).toEqual({ code: 0, folders: Array(3).fill(both[0]) });
  expect(readFileSync(join(both[0], 'filled'), 'utf8')).toBe('by 1');
});

it('tells everybody why a folder could not be filled', async () => {
  const name = randomUUID();
  const ask = () => once(name, () => Promise.reject(new Error('no space left')));
  for (const asked of [ask(), ask()]) await expect(asked).rejects.toThrow('no space left');
  await expect(ask()).rejects.toThrow('no space left');
});
