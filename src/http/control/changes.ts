/** A time as the control plane writes it. */
export function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

const timeFields: Readonly<Record<string, string>> = {
  createdAt: 'createdAtMs',
  updatedAt: 'updatedAtMs',
  modifiedAt: 'modifiedAtMs',
};

/** A record with what was sent in place of what it had: null takes a field away, times are in milliseconds inside. */
export function withChanges<T extends object>(record: T, sent: object): T {
  const changed: Record<string, unknown> = Object.fromEntries(Object.entries(record));
  for (const [name, value] of Object.entries(sent)) {
    const field = timeFields[name] ?? name;
    if (value === null) delete changed[field];
    else changed[field] = field === name ? value : Date.parse(String(value));
  }
  return changed as T;
}
