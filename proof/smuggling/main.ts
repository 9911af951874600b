/** Uses the smuggling matrix against the proxy and prints it: `npm run smuggling`. Exits with 1 on any deviation. */
import { type Line, render, runMatrix } from './matrix.ts';

const lines: Line[] = [];
for await (const line of runMatrix()) lines.push(line);
console.log(render(lines));
if (lines.some(({ deviations }) => deviations.length > 0)) process.exitCode = 1;
