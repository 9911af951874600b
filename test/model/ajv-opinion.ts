import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { ContractDocument } from '../../src/index.ts';
import { type Answer, type Call, methodOf, routes } from './call.ts';

// ajv-formats is CommonJS: its callable is the module itself, or the module's default, by loader.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/** What Ajv says of one answer: nothing, or why the contract does not allow it. */
export type AjvOpinion = (call: Call, answer: Answer) => string | undefined;

/** Judges answers by the schemas that a contract declares, looked up by status and content type alone. */
export function createAjvOpinion(document: ContractDocument): AjvOpinion {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema(document, 'contract');
  return (call, answer) => {
    const pointer = [
      'paths',
      routes[call.operationId][1],
      methodOf(call).toLowerCase(),
      'responses',
      `${answer.status}`,
    ];
    const response = resolve(document, pointer) as { content?: Record<string, object> } | undefined;
    if (response === undefined) return `status ${answer.status} is not declared`;
    if (response.content === undefined) return answer.text === '' ? undefined : 'no body is declared';
    return judgeBody(ajv, [...pointer, 'content'], Object.keys(response.content), answer);
  };
}

function judgeBody(ajv: Ajv2020, pointer: string[], declared: string[], { headers, text }: Answer): string | undefined {
  const mediaType = headers['content-type']?.split(';')[0] ?? '';
  if (!declared.includes(mediaType)) return `content type ${mediaType} is not declared`;
  const tokens = [...pointer, mediaType, 'schema'].map((token) => encodeURIComponent(escapeToken(token)));
  const validate = ajv.getSchema(`contract#/${tokens.join('/')}`);
  if (validate === undefined) return `there is no schema at ${tokens.join('/')}`;
  return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
}

function resolve(document: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce((value, token) => (value as Record<string, unknown> | undefined)?.[token], document);
}

function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
