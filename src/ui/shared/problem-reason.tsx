import type { ReadProblem } from './problem.ts';

/** An error response with each broken rule. */
export function ProblemReason({ problem: { title, detail, violations } }: { problem: ReadProblem }) {
  return (
    <div class="notice">
      <strong>{title}</strong>
      {violations.length === 0 ? (
        <p>{detail}</p>
      ) : (
        <ul class="points">
          {violations.map(({ place, message }) => (
            <li key={place + message}>
              <code>{place}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
