/** The flag in a key's note that grants delegate access. */
const DELEGATE_FLAG = /(^|[\s,;])delegate:on($|[\s,;])/;

/**
 * Returns whether a key's note grants delegate access. During the closed beta, API requests require delegate access.
 *
 * @example hasDelegateAccess('Acme; delegate:on') // true
 */
export function hasDelegateAccess(note: string): boolean {
  return DELEGATE_FLAG.test(note);
}
