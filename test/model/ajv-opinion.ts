import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { resolvePointer } from '../../openapi/contract/document.ts';
import type { ContractDocument } from '../../src/index.ts';
import { type Answer, type Call, routes } from './call.ts';

// ajv-formats is CommonJS: its callable is the module itself, or the module's default, by loader.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/** What Ajv says of one answer: nothing, or why the contract does not allow it. */
export type AjvOpinion = (call: Call, answer: Answer) => string | undefined;

/** Judges answers by the schemas that a contract declares, looked up by status and content type alone. */
export function createAjvOpinion(document: ContractDocument): AjvOpinion {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema(document, 'contract');
  return ({ operationId }, { status, headers, text }) => {
    const [method, path] = routes[operationId];
    const at = encodeURI(`#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`);
    const response = resolvePointer(document, at) as { content?: Record<string, object> } | undefined;
    if (response === undefined) return `status ${status} is not declared`;
    if (response.content === undefined) return text === '' ? undefined : 'no body is declared';
    const mediaType = headers['content-type']?.split(';')[0] ?? '';
    if (!Object.hasOwn(response.content, mediaType)) return `content type ${mediaType} is not declared`;
    const schema = `contract${at}/content/${mediaType.replaceAll('/', '~1')}/schema`;
    const validate = ajv.getSchema(schema);
    if (validate === undefined) return `there is no schema at ${schema}`;
    return validate(JSON.parse(text)) ? undefined : ajv.errorsText(validate.errors);
  };
}
