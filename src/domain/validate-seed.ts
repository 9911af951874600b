import { Schemas, type Validate } from '../../openapi/contract/schemas.ts';
import { type SeedViolation, validateSeedRelations } from './relations.ts';
import { seedSchema } from './resources.ts';
import type { Seed } from './seed.ts';

let validateShape: Validate | undefined;

/** The errors in a seed. */
export function validateSeed(value: unknown): SeedViolation[] {
  validateShape ??= new Schemas(seedSchema()).at('#');
  const violations = validateShape(value);
  return violations.length > 0 ? violations : validateSeedRelations(value as Seed);
}
