// Written into the bundle: see `.ci/bundle.mjs`.
declare const ownFiles: Readonly<Record<string, unknown>>;
declare const ownVersion: string;

/** The twin of `openapi/contract/own-files.ts` for pages: the files are part of the bundle. */
export function loadOwnYaml(path: string): unknown {
  const value = ownFiles[path];
  if (value === undefined) throw new Error(`${path} is not in the bundle`);
  return structuredClone(value);
}

export function packageVersion(): string {
  return ownVersion;
}
