import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = new URL('../src/ui/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, source), 'utf8');

/** `src/ui/page.gen.html`: the developer page with its script and its style, as one file without references. */
export async function developerPage(): Promise<string> {
  const script = await bundle();
  const style = minified(read('page.css'));
  // Functions, since a replacement text would be searched for `$&`.
  return read('page.html')
    .replace('/* style */', () => style)
    .replace('/* script */', () => script);
}

async function bundle(): Promise<string> {
  const built = await rolldown({
    input: fileURLToPath(new URL('main.tsx', source)),
    platform: 'browser',
    tsconfig: false,
    transform: { target: 'es2023', jsx: { runtime: 'automatic', importSource: 'preact' } },
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  const { output } = await built.generate({ format: 'iife', minify: true });
  await built.close();
  // The parser of HTML must not find the end of the script in one of its texts.
  return output[0].code
    .trim()
    .replaceAll(/<\/(?=script)/gi, '<\\/')
    .replaceAll('<!--', '<\\!--');
}

/** A style sheet without comments and indentation. */
function minified(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}
