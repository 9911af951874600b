/** Which dependency to repair first: by the impact of its open points, operations, and severity of a wrong guess. */
import { type OpenPoint, severities } from '../../openapi/points/open-point.ts';

/** What decides the order of repairs. */
export type Stake = Pick<OpenPoint, 'impact' | 'operations' | 'severity' | 'cost'>;

/** The stakes of a dependency: for open points that fail only together, the worst of each stake. */
interface Staked {
  openPoints: readonly Stake[];
}

/**
 * In repair order: first what a correct client would not notice, since that needs a repair whatever the service does; then by
 * the severity of a wrong guess; then by the number of operations.
 */
export function inRepairOrder<One extends Staked>(dependencies: readonly One[]): One[] {
  return dependencies.toSorted(
    (one, other) =>
      Number(isHidden(other)) - Number(isHidden(one)) ||
      severityOf(other) - severityOf(one) ||
      operationsOf(other) - operationsOf(one),
  );
}

/** Whether the tests rely on something that a correct client does not notice. */
export function isHidden({ openPoints }: Staked): boolean {
  return openPoints.some(({ impact }) => impact === 'hidden');
}

/** `hidden; a wrong guess breaks the client; 10 operations` */
export function reasonToRepair(dependency: Staked): string {
  const count = operationsOf(dependency);
  return [
    ...(isHidden(dependency) ? ['hidden'] : []),
    `a wrong guess ${severities[severityOf(dependency)]}`,
    `${count} ${count === 1 ? 'operation' : 'operations'}`,
  ].join('; ');
}

function severityOf({ openPoints }: Staked): OpenPoint['severity'] {
  return openPoints.reduce<OpenPoint['severity']>((most, { severity }) => (severity > most ? severity : most), 1);
}

function operationsOf({ openPoints }: Staked): number {
  return new Set(openPoints.flatMap(({ operations }) => operations)).size;
}
