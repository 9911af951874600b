/** Every operation of the contract needs its handler. */
import { handlers } from '../../../src/engine/operations/index.ts';

const { deleteDriveTree: _, ...others } = handlers;

export const fewer: typeof handlers = others; // refused: TS2741 Property 'deleteDriveTree' is missing
