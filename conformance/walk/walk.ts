/*
 * The walk: drawn steps that no check has written down, judged by the model alone. It comes after all checks and observers, so
 * that nothing is used up or changed for them. It is not a check itself: what it finds is a broken rule, and stands in the report
 * under the check of that rule, where expected failures and comparisons look for it.
 */
import type { Session } from '../target/session.ts';
import { walkAlong } from './along.ts';
import { confirm } from './confirm.ts';
import { drawSteps } from './steps.ts';

/**
 * Walks, and lets the model judge. `isTold`: whether a check has reported a rule as broken already. Throws `Stopped` if the run
 * is stopped.
 */
export async function walk(session: Session, isTold: (rule: string) => boolean): Promise<void> {
  const steps = drawSteps(session.settings);
  const before = session.judge.mark();
  const scene = await walkAlong(session, steps);
  const found = session.judge.broken.slice(before).filter(({ rule }) => !isTold(rule));
  await confirm(scene, steps, found);
}
