import { Schemas, type Validate, type Violation } from '../../openapi/contract/schemas.ts';
import { validateSeedRelations } from './relations.ts';
import { seedSchema } from './resources.ts';
import type { Seed } from './seed.ts';

let validateShape: Validate | undefined;

function isSnapshot(value: unknown): boolean {
  const { organizations } = (value ?? {}) as { organizations?: unknown };
  return Array.isArray(organizations) && organizations.some((one) => Object.hasOwn(Object(one), 'firstKeys'));
}

/** The errors in a seed. */
export function validateSeed(value: unknown): Violation[] {
  validateShape ??= new Schemas(seedSchema()).at('#');
  if (isSnapshot(value))
    return [{ location: [], code: 'snapshot', message: 'is a snapshot, not a seed; GET /__admin/seed saves a seed' }];
  const violations = validateShape(value);
  return violations.length > 0 ? violations : validateSeedRelations(value as Seed);
}
