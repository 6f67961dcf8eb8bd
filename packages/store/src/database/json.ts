/** Serializes any value as JSON for a text column; `undefined` becomes null. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value ?? null);
}
