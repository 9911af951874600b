/** The headers of a message, folded. */
export function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const all = Object.entries(headers);
  if (all.length === 0) return <p class="muted">No headers.</p>;
  return (
    <details class="headers">
      <summary>{all.length === 1 ? '1 header' : `${all.length} headers`}</summary>
      <dl class="facts">
        {all.map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd class="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
