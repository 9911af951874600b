// Error responses: no request makes the server fail (section 7), and a valid one least of all.

import { own, say } from '../../lib/sentence.ts';
import { keepsPathRule } from '../reading/path-rule.ts';
import type { Call } from './exchange.ts';
import type { Place } from './files.ts';
import type { Report } from './findings.ts';
import type { Organization } from './organization.ts';
import { pageOf } from './pages.ts';
import { comparedForm } from './values.ts';

/** Statuses of gateways, and of a server without room (section 8): they say nothing about the request. */
const excused: readonly number[] = [502, 503, 504, 507];

/** An error response. Bodies are JSON (introduction). */
export function judgeFailure(call: Call, organization: Organization | undefined, report: Report): void {
  const { operation, answer, status } = call;
  if (answer === undefined || call.outcome === 'success') return;
  if (answer.body.kind === 'text')
    report('bodies.refusals-are-json', 'certain', { expected: say`JSON`, actual: answer.body.why });
  // The MCP server behind it may be at fault (`unreachableTools`).
  if (status < 500 || excused.includes(status) || operation.operationId === 'listMcpServerTools') return;
  const isPlain = organization !== undefined && isValid(call, organization);
  const ofTexts = operation.isCreation
    ? 'texts.do-not-make-the-server-fail'
    : `${operation.operationId}.method-and-path`;
  const expected = say`a status below 500 for ${own(operation.operationId)}`;
  report(isPlain ? ofTexts : 'errors.are-not-the-servers', 'certain', { expected, actual: say`status ${status}` });
}

/** Whether nothing about a request is a reason to refuse it, by all that is known. */
function isValid(call: Call, organization: Organization): boolean {
  const { operation, params } = call;
  if (operation.isCreation) return isUsableBody(call, organization);
  if (operation.list !== undefined)
    return operation.parameters.length === 0 ? call.query.length === 0 : pageOf(call).isLegal;
  if (params.fileId === undefined) return false;
  const file = organization.files.at(call);
  const isThere = file?.shown !== undefined && file.place.possibleAt(call)?.every(({ value }) => value !== 'gone');
  if (isThere !== true) return false;
  return operation.isRead ? call.query.length === 0 : isUsablePath(call, organization);
}

/** Whether a creation has what the text of its operation lists, no more, and nothing that is taken (`duplicates`). */
function isUsableBody(call: Call, organization: Organization): boolean {
  const { operation, fields = {} } = call;
  const names = Object.keys(fields);
  const isWhole = operation.bodyFields.every((name) => isUsable(name, fields[name]));
  if (!isWhole || names.length > operation.bodyFields.length) return false;
  const { items, creations } = organization.collectionOf(operation.resource) ?? { items: new Map(), creations: [] };
  const others = [...creations.filter((other) => other !== call), ...items.values()];
  return !others.some((other) => ['name', 'url'].some((name) => isTaken(fields[name], other.fields?.[name])));
}

function isTaken(value: unknown, other: unknown): boolean {
  return typeof value === 'string' && typeof other === 'string' && comparedForm(value) === comparedForm(other);
}

/** Whether a file may go to the path of a move, and no other one may be there, above it or below it (`pathConflict`). */
function isUsablePath(call: Call, { files }: Organization): boolean {
  const { path, ...others } = call.fields ?? {};
  if (typeof path !== 'string' || !keepsPathRule(path) || /\p{Cc}/u.test(path)) return false;
  const form = `${comparedForm(path)}/`;
  const isInTheWay = ({ value }: { value: Place }) => {
    if (typeof value !== 'object') return value === 'somewhere';
    const other = `${comparedForm(value.path)}/`;
    return form.startsWith(other) || other.startsWith(form);
  };
  const rest = files.inDrive(call.params.driveId).filter((file) => file !== files.at(call));
  return Object.keys(others).length === 0 && !rest.some(({ place }) => place.possibleAt(call)?.some(isInTheWay));
}

function isUsable(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '') return false;
  return name !== 'url' || (/^https?:/.test(value) && URL.canParse(value));
}
