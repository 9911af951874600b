import { Application } from './base/application.ts';
import type { Facts } from './base/facts.ts';
import { seed } from './base/seed.ts';
import { listen } from './base/server.ts';
import { defaultSettings } from './base/settings.ts';
import { faults } from './faults/index.ts';
import { legalVariants } from './legal/index.ts';
import type { Entry, Variant } from './variant.ts';

export type { Facts, OrganizationFacts } from './base/facts.ts';
export type { Entry } from './variant.ts';

const variants: readonly Variant[] = [...faults, ...legalVariants];
const byName = new Map(variants.map((variant) => [variant.name, variant]));

export const entries: readonly Entry[] = variants.map(({ name, kind, section, what }) => ({
  name,
  kind,
  section,
  what,
}));

/** Starts the base with the named variants together on 127.0.0.1 at a free port. No names: the correct base. */
export async function start(
  names: readonly string[],
): Promise<{ baseUrl: string; facts: Facts; stop: () => Promise<void> }> {
  const chosen = names.map((name) => {
    const variant = byName.get(name);
    if (!variant) throw new Error(`There is no variant ${name}`);
    return variant;
  });
  const settings = defaultSettings();
  for (const variant of chosen) variant.configure(settings);
  const app = new Application(settings);
  const facts = seed(app);
  for (const variant of chosen) variant.apply(app);
  return { ...(await listen(app)), facts };
}
