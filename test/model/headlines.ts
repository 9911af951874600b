/** One fault of each kind, in full, and how often it came: kinds are told apart by the first line, numbers aside. */
export function headlines(faults: readonly string[]): string[] {
  const byKind = Map.groupBy(faults, kindOf);
  return [...byKind.values()].map((alike) => `${alike.length} times: ${alike[0]}`);
}

function kindOf(fault: string): string {
  const [first = ''] = fault.split('\n');
  return first.replaceAll(/\d+/g, '#').replace(/(got #).*/, '$1');
}
