import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import { type Fields, isFields, jsonIn } from './json.ts';

/** Why a request was refused, according to the error body. */
export interface ReadProblem {
  title: string;
  detail: string;
  violations: readonly { place: string; message: string; rule?: string }[];
}

/** Reads the reason in an error body, in any form that a profile uses; undefined if there is none. */
export function readProblem(body: string | undefined): ReadProblem | undefined {
  const value = jsonIn(body ?? '');
  if (!isFields(value)) return undefined;
  const fields = isFields(value.error) ? value.error : value;
  const title = textIn(fields, ['title', 'code']);
  const detail = textIn(fields, ['detail', 'message']);
  const violations = [value.validation, fields.details, value.errors].flatMap(violationsIn);
  // The page names the fault itself.
  const isOfFault = detail.toLowerCase().includes(mockHeaders.fault);
  return (title + detail === '' || isOfFault) && violations.length === 0 ? undefined : { title, detail, violations };
}

function textIn(fields: Fields, names: readonly string[]): string {
  return String(names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? '');
}

const mostShown = 100;

function violationsIn(list: unknown): ReadProblem['violations'] {
  if (!Array.isArray(list)) return [];
  return list
    .filter(isFields)
    .slice(0, mostShown)
    .map((each) => ({
      place: Array.isArray(each.location) ? each.location.join('.') : textIn(each, ['field']),
      message: textIn(each, ['message']),
    }));
}
