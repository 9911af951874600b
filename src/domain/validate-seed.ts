import { lazily } from '../../lib/remembering.ts';
import { Schemas, type Violation } from '../../openapi/contract/schemas.ts';
import { validateSeedRelations } from './relations.ts';
import { seedSchema } from './resources.ts';
import type { Seed } from './seed.ts';

const shape = lazily(() => new Schemas(seedSchema()).at('#'));

function isSnapshot(value: unknown): boolean {
  const { organizations } = (value ?? {}) as { organizations?: unknown };
  return Array.isArray(organizations) && organizations.some((one) => Object.hasOwn(Object(one), 'firstKeys'));
}

/** The errors in a seed. */
export function validateSeed(value: unknown): Violation[] {
  if (isSnapshot(value))
    return [{ location: [], code: 'snapshot', message: 'is a snapshot, not a seed; GET /__admin/seed saves a seed' }];
  const violations = shape()(value);
  return violations.length > 0 ? violations : validateSeedRelations(value as Seed);
}
