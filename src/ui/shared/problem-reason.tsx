import type { ReadProblem } from './problem.ts';

/** An error response, or a side that broke the contract, with each broken rule. */
export function ProblemReason({ problem, isHarmless = false }: { problem: ReadProblem; isHarmless?: boolean }) {
  const { title, detail, violations } = problem;
  return (
    <div class={isHarmless ? '' : 'notice'}>
      <strong>{title}</strong>
      {violations.length === 0 ? (
        <p>{detail}</p>
      ) : (
        <ul class="points">
          {violations.map(({ place, message, rule }) => (
            <li key={place + rule + message}>
              <code>{place}</code> {message} {rule && <span class="muted">({rule})</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
