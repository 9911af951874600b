/** An option that does not exist is not ignored. */
import { createMock } from '../../../src/index.ts';

export const mock = createMock({
  prot: 1, // refused: TS2353 'prot' does not exist
});
