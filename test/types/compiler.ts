/** The TypeScript compiler of this checkout, for tests about types. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** What the compiler says about one line. */
export interface Complaint {
  /** The name of the file, without its folders. */
  file: string;
  line: number;
  /** For instance `TS2322`. */
  code: string;
  message: string;
}

/** The options of this checkout's own `tsconfig.json`. */
export function checkoutOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${checkout}tsconfig.json`, ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, checkout).options;
}

/** Options of a stranger's project: strict, for a recent Node, with its types or without any. */
export function strangerOptions(types: readonly 'node'[]): ts.CompilerOptions {
  return {
    strict: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    typeRoots: types.length === 0 ? [] : [`${checkout}node_modules/@types`],
    types: [...types],
    skipLibCheck: false,
  };
}

/** What the compiler says about the files of a program for which `isOurs` holds. The others are not checked. */
export function complaintsOf(program: ts.Program, isOurs = (_path: string) => true): Complaint[] {
  const files = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  const diagnostics = files.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  return ts.sortAndDeduplicateDiagnostics(diagnostics).map(toComplaint);
}

function toComplaint({ file, start = 0, code, messageText }: ts.Diagnostic): Complaint {
  return {
    file: basename(file?.fileName ?? ''),
    line: (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1,
    code: `TS${code}`,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  };
}

/** The type that a file of a program exports under a name. */
export function exportedType(program: ts.Program, path: string, name: string): ts.Type {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const symbol = module === undefined ? undefined : checker.tryGetMemberInModuleExports(name, module);
  if (symbol === undefined) throw new Error(`${path} exports no ${name}.`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}
