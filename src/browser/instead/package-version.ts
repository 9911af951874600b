/** The twin of `openapi/contract/package-version.ts` for pages. */
export { packageVersion } from './own-files.ts';
