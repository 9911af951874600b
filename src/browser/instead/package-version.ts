/** The twin of `lib/package-version.ts` for pages. */
export { packageVersion } from './own-files.ts';
