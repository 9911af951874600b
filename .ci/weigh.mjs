/**
 * `npm run weigh`: packs the package, installs it into an empty project as a user does, and prints a table of what it brings
 * and through which dependency. Plain JavaScript, as it also runs on the oldest Node that the package supports.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const name = 'agent-platform-contract';

/**
 * What an installed project holds: the packages by the folder that `package-lock.json` names, such as
 * `node_modules/a/node_modules/b`.
 * @typedef {{ dependencies?: Record<string, string>, peerDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Locked
 */

/** @typedef {{ title: string, packages: number, bytes: number }} Weight */

/**
 * What each dependency brings that no other one does, the heaviest first; above them the package itself, below them what
 * several dependencies share.
 * @param {string} project a folder in which the package is installed
 * @returns {Weight[]}
 */
export function weigh(project) {
  const lock = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
  /** @type {Record<string, Locked>} */
  const packages = lock.packages;
  const own = `node_modules/${name}`;
  const direct = Object.keys(packages[own]?.dependencies ?? {});
  const whole = reached(packages, own, direct);
  const brought = direct.map((dependency) => {
    const without = reached(
      packages,
      own,
      direct.filter((other) => other !== dependency),
    );
    const only = [...whole].filter((folder) => !without.has(folder));
    return { title: `\`${dependency}\``, folders: only };
  });
  const claimed = new Set(brought.flatMap(({ folders }) => folders));
  const shared = [...whole].filter((folder) => folder !== own && !claimed.has(folder));
  const rows = brought.map(({ title, folders }) => toWeight(project, title, folders));
  return [
    toWeight(project, 'the package itself', [own]),
    ...rows.sort((one, other) => other.bytes - one.bytes),
    toWeight(project, 'shared by several of these', shared),
  ];
}

/** @param {string} project @param {string} title @param {string[]} folders @returns {Weight} */
function toWeight(project, title, folders) {
  const bytes = folders.reduce((sum, folder) => sum + sizeOf(join(project, folder)), 0);
  return { title, packages: folders.length, bytes };
}

/**
 * The folders of the packages that a package needs if it has these dependencies only; its own among them.
 * @param {Record<string, Locked>} packages @param {string} own @param {string[]} direct
 */
function reached(packages, own, direct) {
  const found = new Set([own]);
  const waiting = direct.flatMap((dependency) => folderOf(packages, own, dependency) ?? []);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    found.add(folder);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[folder] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => peerDependenciesMeta?.[peer]?.optional !== true);
    const needed = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    for (const dependency of needed) waiting.push(...[folderOf(packages, folder, dependency) ?? []].flat());
  }
  return found;
}

/** Where Node finds a package from a folder on. @param {Record<string, Locked>} packages @param {string} from @param {string} wanted */
function folderOf(packages, from, wanted) {
  for (let base = from; base !== ''; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const folder = `${base}/node_modules/${wanted}`;
    if (folder in packages) return folder;
  }
  return `node_modules/${wanted}` in packages ? `node_modules/${wanted}` : undefined;
}

/** The bytes of the files of a package, without packages inside it. @param {string} folder @returns {number} */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + sizeOf(join(folder, entry.name));
    return sum + lstatSync(join(folder, entry.name)).size;
  }, 0);
}

/** @param {Weight[]} weights */
export function toTable(weights) {
  const all = {
    title: 'all',
    packages: weights.reduce((sum, { packages }) => sum + packages, 0),
    bytes: weights.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const rows = [...weights, all].map(
    ({ title, packages, bytes }) => `| ${title} | ${packages} | ${(bytes / 1e6).toFixed(1)} |`,
  );
  return ['| brought by | packages | MB |', '| --- | --- | --- |', ...rows].join('\n');
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const project = mkdtempSync(join(tmpdir(), 'weigh-'));
  try {
    execFileSync('npm', ['pack', '--pack-destination', project], {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [tarball = ''] = readdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const flags = ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`];
    execFileSync('npm', flags, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
    console.log(toTable(weigh(project)));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
