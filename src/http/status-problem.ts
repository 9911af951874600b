import { STATUS_CODES } from 'node:http';
import { type Problem, problemType } from '../../openapi/contract/error-bodies.ts';

/** A problem that is nothing but its status, named as HTTP names it. */
export function statusProblem(status: number, detail: string): Problem {
  const title = STATUS_CODES[status] ?? `Status ${status}`;
  const code = title.toLowerCase().replaceAll("'", '').replaceAll(/\W+/g, '-');
  return { type: problemType(code), title, status, detail };
}
