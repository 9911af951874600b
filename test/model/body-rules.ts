import type { Profile } from '../../src/index.ts';
import type { Call, OperationId } from './call.ts';
import type { Outcome } from './outcome.ts';

/** The fields that section 4 shows for the body of each operation that has one. */
const bodyFields: Partial<Record<OperationId, readonly string[]>> = {
  publishAgentRevision: ['revisionId'],
  createDrive: ['name'],
  updateDriveFile: ['path'],
  createMcpServer: ['name', 'url'],
};

export function takesBody({ operationId }: Call): boolean {
  return bodyFields[operationId] !== undefined;
}

/** Why the body of a call is refused; undefined when it is not. The order is that of the design. */
export function bodyFault(call: Call, profile: Profile): Outcome | undefined {
  const { body = '' } = call;
  if (!takesBody(call)) return undefined;
  if (Buffer.byteLength(body) > profile.bodySizeLimit) return 'body-too-large';
  if (body === '') return requiredOf(call, profile) === 'none' ? undefined : 'invalid-body';
  if (profile.mediaTypeRules === 'strict' && !isDeclaredJson(call)) return 'unsupported-media-type';
  const parsed = parseBody(body);
  if (parsed === undefined) return 'malformed-json';
  if (!isValid(parsed.value, call, profile)) return 'invalid-body';
  const { path } = parsed.value as Record<string, unknown>;
  const isRuly = call.operationId !== 'updateDriveFile' || path === undefined || isLegalPath(String(path), profile);
  return isRuly ? undefined : 'invalid-path';
}

function requiredOf({ operationId }: Call, profile: Profile): 'all' | 'none' | 'url' {
  const own = {
    publishAgentRevision: profile['requiredFields.publishAgentRevision'],
    updateDriveFile: profile['requiredFields.updateDriveFile'],
    createMcpServer: profile['requiredFields.createMcpServer'],
  }[operationId as string];
  return own === undefined || own === 'createDrive' ? profile['requiredFields.createDrive'] : own;
}

export function isDeclaredJson(call: Call): boolean {
  return /^application\/json *(?:;.*)?$/i.test(call.headers['content-type'] ?? '');
}

/** The value of a JSON text in an object of its own; undefined when it is no JSON. */
export function parseBody(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isValid(value: unknown, call: Call, profile: Profile): boolean {
  const fields = bodyFields[call.operationId] ?? [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const isKnown =
    profile['unknownInput.bodyFields'] === 'ignored' || Object.keys(value).every((name) => fields.includes(name));
  return isKnown && fields.every((name) => isValidField(value as Record<string, unknown>, name, call, profile));
}

function isValidField(object: Record<string, unknown>, name: string, call: Call, profile: Profile): boolean {
  const required = requiredOf(call, profile);
  if (!Object.hasOwn(object, name)) return required === 'none' || (required === 'url' && name !== 'url');
  const text = textOf(object[name], profile);
  return text !== undefined && obeysRule(name, text, profile);
}

function textOf(value: unknown, { wrongBodyTypes }: Profile): string | undefined {
  if (typeof value === 'string') return value;
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return isScalar && wrongBodyTypes === 'coerced' ? String(value) : undefined;
}

function obeysRule(name: string, text: string, profile: Profile): boolean {
  if (name === 'url') return profile.mcpUrlRules === 'anyString' || isHttpUrl(text);
  return name !== 'name' || obeysNameRules(text, profile);
}

export function isLegalPath(path: string, profile: Profile): boolean {
  if (typeof profile['pathForm.length'] === 'number' && [...path].length > profile['pathForm.length']) return false;
  const fault = pathFault(path);
  return fault === undefined || (fault === 'lineTerminator' && profile['pathForm.lineBreaks'] === 'accepted');
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

function obeysNameRules(name: string, { nameRules }: Profile): boolean {
  if (nameRules === 'anyString') return true;
  if (nameRules === 'trimmed') return name.trim() !== '';
  return name !== '' && (nameRules === 'nonEmpty' || [...name].length <= 255);
}

/** The fields of a legal body as they count: coerced, and trimmed where names are. */
export function fieldsOf({ body }: Call, profile: Profile): Record<string, string | undefined> {
  const parsed = parseBody(body || '{}')?.value as Record<string, unknown>;
  const shown = ['revisionId', 'name', 'url', 'path'].filter((name) => Object.hasOwn(parsed, name));
  const kept = (name: string, text = '') => (name === 'name' && profile.nameRules === 'trimmed' ? text.trim() : text);
  return Object.fromEntries(shown.map((name) => [name, kept(name, textOf(parsed[name], profile))]));
}

/** What breaks a path: nothing, a rule of the prose, or a line terminator alone (the stated pattern refuses it). */
export type PathFault = 'noSlash' | 'dotDot' | 'lineTerminator' | undefined;

/** The rule of 4.6 by a plain split into segments, without any pattern. */
export function pathFault(path: string): PathFault {
  if (!path.startsWith('/')) return 'noSlash';
  if (path.split('/').includes('..')) return 'dotDot';
  return lineTerminators.some((terminator) => path.includes(terminator)) ? 'lineTerminator' : undefined;
}

const lineTerminators = ['\n', '\r', '\u2028', '\u2029'];
