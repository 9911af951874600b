import type { ReportCounts, ReportItem, ReportPart } from '../../../lib/report-words.ts';
import { Command, Tag } from '../shared/parts.tsx';
import { linkTo } from '../shared/url-state.ts';
import { plural } from '../shared/words.ts';
import { outcomes } from './report-parts.tsx';

// The parts of a report that the suite has put into words: here they are only laid out.

/** How many checks ended with each outcome, in tables. */
export function CountsView({ counts }: { counts: readonly ReportCounts[] }) {
  const isUsed = (outcome: string) => counts.some(({ rows }) => rows.some(({ summary }) => summary[outcome]));
  const used = Object.entries(outcomes).filter(([outcome]) => isUsed(outcome));
  return (
    <div class="counts">
      {counts.map(({ by, rows }) => (
        <div key={by} class="rows">
          <table aria-label={`Checks by ${by}`}>
            <thead>
              <tr>
                <th scope="col">{by === 'operation' ? 'Operation' : 'Section of the specification'}</th>
                {used.map(([outcome, { words }]) => (
                  <th key={outcome} scope="col">
                    {words}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, summary }) => (
                <tr key={name}>
                  <th scope="row">
                    {by === 'section' ? (
                      name
                    ) : (
                      <a href={linkTo('reports', '', { part: '', operation: name })}>{name}</a>
                    )}
                  </th>
                  {used.map(([outcome, { tone }]) => (
                    <td key={outcome} class={summary[outcome] ? tone : 'muted'}>
                      {summary[outcome]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </div>
  );
}

export function PartView({ part: { about, items } }: { part: ReportPart }) {
  return (
    <>
      {about !== undefined && <p>{about}</p>}
      <ul>
        {items.map((item, index) => (
          <ItemView key={index} item={item} />
        ))}
      </ul>
    </>
  );
}

const few = 5;

function ItemView({
  item: { name, text, value, isWrong, more = [], checks = [], values = [], command },
}: {
  item: ReportItem;
}) {
  const inside = [
    ...checks.map((id) => <a href={linkTo('reports', id, { part: '' })}>{id}</a>),
    ...values.map((one) => <code>{one}</code>),
  ];
  const list = (
    <ul class="names">
      {inside.map((one, index) => (
        <li key={index}>{one}</li>
      ))}
    </ul>
  );
  return (
    <li class="card">
      <p>
        {isWrong && <Tag tone="bad">failed</Tag>}
        {isWrong && ' '}
        {name !== undefined && <code>{`${name} `}</code>}
        {text}
        {value !== undefined && <code>{` ${value}`}</code>}
      </p>
      {more.map((one) => (
        <p key={one} class="muted">
          {one}
        </p>
      ))}
      {command !== undefined && <Command text={command} what="curl" />}
      {inside.length > few ? (
        <details>
          <summary>{checks.length > 0 ? plural(checks.length, 'check') : `All ${values.length}`}</summary>
          {list}
        </details>
      ) : (
        inside.length > 0 && list
      )}
    </li>
  );
}
