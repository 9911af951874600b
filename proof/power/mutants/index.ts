import type { Mutant } from '../mutant.ts';
import { authentication } from './authentication.ts';
import { hostedTools } from './hosted-tools.ts';
import { instances } from './instances.ts';
import { isolation } from './isolation.ts';
import { pagination } from './pagination.ts';
import { pathRule } from './path-rule.ts';
import { records } from './records.ts';
import { shape } from './shape.ts';
import { state } from './state.ts';
import { wire } from './wire.ts';

/** Every server with exactly one fault. */
export const mutants: readonly Mutant[] = [
  ...authentication,
  ...isolation,
  ...pagination,
  ...pathRule,
  ...state,
  ...shape,
  ...records,
  ...instances,
  ...wire,
  ...hostedTools,
];
