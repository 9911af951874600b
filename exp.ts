import { allChecks } from './conformance/checks/index.ts';
import { chooseMutants, ruleOf } from './test/power/guard/choose.ts';
import { missedOf, withoutJudgement } from './test/power/guard/find.ts';
import { mutants } from './test/power/mutants/index.ts';
import { repositorySeed, shuffledByName } from './test/support/random-seed.ts';

const checks = allChecks();
for (const n of [60, 120, 180, 252, 573]) {
  const guards = chooseMutants(mutants, n, repositorySeed);
  const ids = new Set(guards.map((g) => g.check));
  const rules = new Set(guards.map((g) => ruleOf(g.check)));
  const families = new Set(guards.map((g) => ruleOf(g.check).split('.')[0]));
  const counts = Array.from({ length: 1000 }, (_, s) => shuffledByName(checks, s, (c) => c.id).slice(0, 52)).map(
    (set) =>
      [
        set.filter((c) => ids.has(c.id)).length,
        set.filter((c) => rules.has(ruleOf(c.id))).length,
        set.filter((c) => families.has(ruleOf(c.id).split('.')[0])).length,
      ] as const,
  );
  const avg = (i: 0 | 1 | 2) => (counts.reduce((s, c) => s + c[i], 0) / 1000).toFixed(1);
  const five =
    Array.from({ length: 2000 }, (_, s) => shuffledByName(checks, s, (c) => c.id).slice(0, 5)).filter((set) =>
      set.some((c) => ids.has(c.id)),
    ).length / 2000;
  console.log(
    n,
    'checks',
    ids.size,
    'rules',
    rules.size,
    'families',
    families.size,
    'of 52 noticed: check',
    avg(0),
    'min',
    Math.min(...counts.map((c) => c[0])),
    'rule',
    avg(1),
    'family',
    avg(2),
    'five random checks red',
    five,
  );
}
if (process.argv[2]) {
  const pattern = /file-beside-is-kept|name-kept|url-kept|^listDrives\.(limit|offset)/;
  const out = shuffledByName(
    checks.filter((c) => pattern.test(c.id)),
    1,
    (c) => c.id,
  ).slice(0, 52);
  const ids = new Set(out.map((c) => c.id));
  const c = process.cpuUsage();
  const missed = await missedOf(
    chooseMutants(mutants, 180, repositorySeed),
    checks.map((c) => (ids.has(c.id) ? withoutJudgement(c) : c)),
  );
  const d = process.cpuUsage(c);
  console.log(
    'out',
    out.length,
    'noticed',
    missed.length,
    'covered',
    [...new Set(missed.map((m) => m.split(' ')[1]))].length,
    (d.user + d.system) / 1e6,
  );
  console.log(missed.join('\n'));
}
