/*
 * To add a filter: here, in `factsOf` of `entry.ts` and of `src/node/proxy/control.ts`, and as a parameter in both
 * `admin-api.yaml`.
 */

/** The facts of an exchange that filters check. */
export interface ExchangeFacts {
  status: number;
  timeMs: number;
  operationId?: string | undefined;
  organizationId?: string | undefined;
  /** The sides that broke the contract, if exchanges are judged. */
  sides?: readonly (string | undefined)[];
}

/** Whether a query selects an exchange. Its values were validated by the admin API's document. */
export function createSelect(
  { operation, status, side, since, until }: Readonly<Record<string, string | number>>,
  organizationId?: string,
): (facts: ExchangeFacts) => boolean {
  const sinceMs = since === undefined ? -Infinity : Date.parse(String(since));
  const untilMs = until === undefined ? Infinity : Date.parse(String(until));
  return (facts) =>
    (organizationId === undefined || facts.organizationId === organizationId) &&
    (operation === undefined || facts.operationId === operation) &&
    (status === undefined || hasStatus(facts.status, String(status).toLowerCase())) &&
    (side === undefined || facts.sides?.includes(String(side)) === true) &&
    facts.timeMs >= sinceMs &&
    facts.timeMs <= untilMs;
}

// A status such as `404`, or a class such as `4xx`.
function hasStatus(status: number, wanted: string): boolean {
  const digits = String(status).padStart(3, '0');
  return wanted.endsWith('xx') ? `${digits.charAt(0)}xx` === wanted : digits === wanted;
}
