/** The twin of `lib/yaml.ts` for pages. It parses nothing, and writes JSON, which is valid YAML. */
export function yaml() {
  return { stringify: (value: unknown) => `${JSON.stringify(value, null, 2)}\n` };
}
