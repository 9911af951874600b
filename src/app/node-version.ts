// Imports nothing, and any Node can parse it: the command checks here before it loads anything else.

/** The oldest Node on which every part runs; `engines` in package.json says the same. */
export const oldestNode = '22.13';

/** Why this Node is too old, and the fix; undefined if it is not. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  const fix = 'Install a newer one here: npm install --save-dev node@24, then use npm run or npx.';
  return `agent-platform-contract needs Node ${oldestNode} or later; this is Node ${version}. ${fix}`;
}
