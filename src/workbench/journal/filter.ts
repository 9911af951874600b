/** The facts of an exchange that a filter looks at. */
export interface ExchangeFacts {
  status: number;
  timeMs: number;
  operationId?: string | undefined;
  organizationId?: string | undefined;
  /** The sides that broke the contract, where exchanges are judged. */
  sides?: readonly (string | undefined)[];
}

/** Which exchanges are selected; a field that is left out selects all. */
export interface JournalFilter {
  organizationId?: string | undefined;
  operationId?: string | undefined;
  /** A status such as `404`, or a class such as `4xx`. */
  status?: string | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  side?: string | undefined;
}

/** The filter of a query. Its values are valid by the document of the control plane. */
export function toFilter(query: Readonly<Record<string, string | number>>, organizationId?: string): JournalFilter {
  const text = (name: string) => (query[name] === undefined ? undefined : String(query[name]));
  const timeMs = (name: string) => (query[name] === undefined ? undefined : Date.parse(String(query[name])));
  return {
    organizationId,
    operationId: text('operation'),
    status: text('status')?.toLowerCase(),
    side: text('side'),
    ...{ sinceMs: timeMs('since'), untilMs: timeMs('until') },
  };
}

/** Whether a filter selects an exchange. */
export function isSelected(facts: ExchangeFacts, filter: JournalFilter): boolean {
  const { organizationId, operationId, status, side, sinceMs = -Infinity, untilMs = Infinity } = filter;
  return (
    (organizationId === undefined || facts.organizationId === organizationId) &&
    (operationId === undefined || facts.operationId === operationId) &&
    (status === undefined || hasStatus(facts.status, status)) &&
    (side === undefined || facts.sides?.includes(side) === true) &&
    facts.timeMs >= sinceMs &&
    facts.timeMs <= untilMs
  );
}

function hasStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? `${Math.floor(status / 100)}xx` === wanted : String(status) === wanted;
}
