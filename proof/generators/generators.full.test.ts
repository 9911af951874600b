import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { randomSeed } from '../../test/support/depth.ts';
import { installTools, type Made, make, targetOf } from './matrix.ts';
import { tools } from './tools.ts';

const document = fileURLToPath(new URL('../../openapi/openapi.default.yaml', import.meta.url));
const hidden = Array.from({ length: 5 }, (_, index) => ({ vary: 'hidden', randomSeed: randomSeed + index }) as const);
// How many operations have a validator for their success.
const validated: Readonly<Record<string, number>> = { 'hey-api': 10, orval: 8, kubb: 10, 'openapi-zod-client': 10 };

describe.each(tools)('the client that $id generates from openapi.default.yaml', (tool) => {
  let made: Made;
  beforeAll(async () => {
    made = await make(await installTools(), tool, document, 'test');
  });

  it('compiles under strict, with a type for each answer', () => {
    expect(made.problem).toBeUndefined();
  });

  it('calls every operation of the mock, and its validators accept every answer, also under hidden profiles', async () => {
    for (const options of [{}, ...hidden]) {
      const mock = await createMock(options);
      const used = await made.use?.(targetOf(mock)).finally(() => mock.close());
      expect(used, JSON.stringify(options)).toEqual({ calls: 10, validations: validated[tool.id] ?? 0 });
    }
  });
});
