/**
 * The twin of `openapi/contract/yaml.ts` for pages. Nothing is read there, and JSON is YAML too: whoever asks for YAML
 * gets that.
 */
export function yaml() {
  return { stringify: (value: unknown) => `${JSON.stringify(value, null, 2)}\n` };
}
