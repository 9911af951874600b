/** The text of one bundled module. `external` names what stays an import, `alias` what stands for what. */
export function bundle(input: string, external?: string[], alias?: Record<string, string>): Promise<string>;
type Module = `${'fetch' | 'msw'}.${'js' | 'cjs'}`;
/** The modules of the package, in both formats, and their source maps, by their names in `dist/browser`. */
export function bundles(): Promise<Record<Module | `${Module}.map`, string>>;
