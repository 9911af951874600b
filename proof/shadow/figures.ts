import { loadRequirements } from '../../openapi/contract/load.ts';
import { type CatalogueName, catalogues, type Entry } from '../held-out/catalogue.ts';
import type { Job } from '../power/jobs.ts';
import { mutants } from '../power/mutants/index.ts';
import type { Shadow, Told } from './run.ts';

const requirements = new Map(loadRequirements().map((requirement) => [requirement.id, requirement]));

/** What a server is, and which check has to find it; undefined if any check will do. */
function natureOf({ kind, id }: Job): { kind: Entry['kind']; check?: string } {
  if (kind === 'mutant') {
    const { requirement = '', check = '' } = mutants.find((mutant) => mutant.id === id) ?? {};
    return { kind: requirements.get(requirement)?.level ?? 'must', check };
  }
  const [catalogue = '', name] = id.split('/');
  const entries = catalogues[catalogue as CatalogueName]?.entries ?? [];
  return kind === 'heldOut' ? (entries.find((entry) => entry.name === name) ?? { kind: 'legal' }) : { kind: 'legal' };
}

/** Says what suite and model found, and counts the findings on legal servers. */
export function toFigures(shadows: readonly Shadow[]): { text: string; alarms: number } {
  const bases = new Map(shadows.filter(({ job }) => job.id.endsWith('/base')).map((shadow) => [shadow.job.id, shadow]));
  const all = shadows.map((shadow) => ({ shadow, ...natureOf(shadow.job), base: bases.get(baseOf(shadow.job)) }));
  const legal = all.filter(({ kind }) => kind === 'legal');
  const alarms = legal
    .map(({ shadow }) => ({ shadow, findings: unexpectedIn(shadow) }))
    .filter(({ findings }) => findings.length > 0);
  const certain = alarms.filter(({ findings }) => findings.some(({ certainty }) => certainty === 'certain'));
  const lines = [
    ...all.flatMap(({ shadow: { job, error } }) => (error === undefined ? [] : [`${job.kind} ${job.id}: ${error}`])),
    ...alarms.flatMap(({ shadow, findings }) => [
      nameOf(shadow),
      ...firstOfEach(findings).map(({ line }) => `    ${line}`),
    ]),
    `legal servers: ${legal.length}; with findings: ${alarms.length}, of which certain: ${certain.length}`,
    ...(['must', 'should'] as const).flatMap((kind) =>
      faultyLines(
        kind,
        all.filter((one) => one.kind === kind),
      ),
    ),
    `exchanges: ${sum(shadows.map(({ exchanges }) => exchanges))}; time of the model: ${Math.round(sum(shadows.map(({ modelMs }) => modelMs)))} ms`,
  ];
  return { text: lines.join('\n'), alarms: alarms.length };
}

interface Faulty {
  shadow: Shadow;
  check?: string;
  base: Shadow | undefined;
}

function faultyLines(kind: 'must' | 'should', faulty: readonly Faulty[]): string[] {
  const judged = faulty.map((one) => ({
    ...one,
    bySuite: isFoundBySuite(kind, one),
    byModel: foundByModel(kind, one),
  }));
  const isCertain = (findings: readonly Told[]) => findings.some(({ certainty }) => certainty === 'certain');
  const beyond = judged.filter(({ bySuite, byModel }) => !bySuite && byModel.length > 0);
  const both = judged.filter(({ bySuite, byModel }) => bySuite && byModel.length > 0);
  return [
    ...beyond.flatMap(({ shadow, byModel }) => [
      `${kind} ${nameOf(shadow)}: found by the model only`,
      ...firstOfEach(byModel).map(({ line }) => `    ${line}`),
    ]),
    ...judged
      .filter(({ byModel }) => byModel.length === 0)
      .map(({ shadow, bySuite }) => `${kind} ${nameOf(shadow)}: found by ${bySuite ? 'the suite only' : 'neither'}`),
    `${kind}: ${faulty.length} faulty servers; found by both: ${both.length} (certain: ${both.filter(({ byModel }) => isCertain(byModel)).length}); by the suite only: ${judged.filter(({ bySuite, byModel }) => bySuite && byModel.length === 0).length}; by the model only: ${beyond.length} (certain: ${beyond.filter(({ byModel }) => isCertain(byModel)).length})`,
  ];
}

// As the proofs of the suite count: a mutant by its check, a held-out server by any failure, or by any warning more.
function isFoundBySuite(kind: 'must' | 'should', { shadow, check, base }: Faulty): boolean {
  const [failed, warned] = [directOf(shadow, shadow.failed), directOf(shadow, shadow.warned)];
  if (check !== undefined) return failed.includes(check) || warned.includes(check);
  return failed.length > 0 || (kind === 'should' && warned.some((id) => base?.warned.includes(id) !== true));
}

/** The checks that report something by themselves. */
function directOf({ fromModel }: Shadow, ids: readonly string[]): string[] {
  return ids.filter((id) => !fromModel.includes(id));
}

function foundByModel(kind: 'must' | 'should', { shadow, base }: Faulty): Told[] {
  const onBase = new Set(base?.findings.map(({ rule }) => rule));
  return shadow.findings.filter(({ rule, level }) => !onBase.has(rule) && (kind === 'should' || level === 'must'));
}

/** What is said of a legal server, other than the warnings that the suite gives as well. */
function unexpectedIn(shadow: Shadow): Told[] {
  const warned = directOf(shadow, shadow.warned);
  return shadow.findings.filter(({ rule, level }) => {
    const checks = requirements.get(rule)?.checks ?? [];
    return level === 'must' || !checks.some((check) => warned.includes(check));
  });
}

function firstOfEach(findings: readonly Told[]): Told[] {
  return [...Map.groupBy(findings, ({ rule }) => rule).values()].flatMap(([first]) => first ?? []);
}

function baseOf({ id }: Job): string {
  return `${id.split('/', 1)[0]}/base`;
}

function nameOf({ job: { kind, id } }: Shadow): string {
  return `${kind} ${id}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
