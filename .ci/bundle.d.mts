/** The text of one bundled module. `external` names what stays an import, `alias` what stands for what. */
export function bundle(input: string, external?: string[], alias?: Record<string, string>): Promise<string>;
/** The modules of the package, and their source maps, by their names in `dist/browser`. */
export function bundles(formats?: readonly ('es' | 'cjs')[]): Promise<Record<string, string>>;
