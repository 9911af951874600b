import { _, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { ErrorBounds, fewErrors, findTwins } from '../../lib/error-bounds.ts';
import type { SchemaError } from '../../lib/schema-error.ts';

/** The rules of one schema that a value breaks; none if it is valid. */
export type Check = (value: unknown) => readonly SchemaError[];

// ajv-formats is CommonJS: depending on the loader, its function is the module itself or the module's default.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/**
 * Compiles schemas that may refer to the schemas of a contract. `mostErrors` bounds the work on a value that is wrong
 * in many places. Ajv generates code at run time, which a page with a strict content security policy forbids: the
 * version for browsers is in `src/browser/instead`.
 */
export function createCompiler(document: object, mostErrors: number): (schema: object) => Check {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, validateSchema: false, strictTypes: false });
  addFormats(ajv);
  ajv.addVocabulary(['x-open-point', 'x-should-have', 'x-violation', 'example']);
  const bounds = new ErrorBounds(mostErrors);
  for (const keyword of ['items', 'additionalProperties'])
    changeCode(ajv, keyword, (cxt, code) => inBounds(cxt, code, bounds));
  changeCode(ajv, 'uniqueItems', checkTwins);
  const schemas = (document as { components?: { schemas?: Record<string, object> } }).components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);
  return (schema) => {
    const validate = ajv.compile(schema);
    return (value) => {
      bounds.reset();
      return validate(value) ? [] : (validate.errors as SchemaError[]);
    };
  };
}

type Code = (cxt: KeywordCxt) => void;

/** Changes the code that an Ajv instance generates for a keyword. */
function changeCode(ajv: Ajv2020, keyword: string, change: (cxt: KeywordCxt, code: Code) => void): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  const code: Code = definition.code.bind(definition);
  definition.code = (cxt) => change(cxt, code);
}

// Names in the code that Ajv generates:
const [errors, vErrors] = [new Name('errors'), new Name('vErrors')];

/** Generates the code of a keyword whose loop over the parts of the value ends after enough errors. */
function inBounds(cxt: KeywordCxt, code: Code, bounds: ErrorBounds): void {
  const { gen } = cxt;
  const start = gen.const('start', errors);
  const own = gen.scopeValue('obj', { ref: bounds });
  const lookAtErrors = () => {
    gen.if(_`${errors} > ${start} + ${fewErrors}`, () => {
      gen.code(_`${own}.fold(${vErrors}, ${start})`).assign(errors, _`${vErrors}.length`);
    });
    gen.if(_`${errors} > ${start} && ${own}.isFull`, () => gen.break());
  };
  // Only its own loop: the loops of inner schemas are generated together with its body.
  gen.forRange = (name, from, to, body) => {
    Reflect.deleteProperty(gen, 'forRange');
    return gen.forRange(name, from, to, (index) => {
      body(index);
      lookAtErrors();
    });
  };
  gen.forIn = (name, object, body) => {
    Reflect.deleteProperty(gen, 'forIn');
    return gen.forIn(name, object, (key) => {
      body(key);
      lookAtErrors();
    });
  };
  code(cxt);
  Reflect.deleteProperty(gen, 'forRange');
  Reflect.deleteProperty(gen, 'forIn');
}

// Ajv compares every item with every other item unless it knows that they are strings.
function checkTwins(cxt: KeywordCxt): void {
  const { gen, data, schema } = cxt;
  if (schema !== true) return;
  const twins = gen.const('twins', _`${gen.scopeValue('func', { ref: findTwins })}(${data})`);
  cxt.setParams({ i: _`${twins}.i`, j: _`${twins}.j` });
  cxt.fail(_`${twins} !== undefined`);
}
