/** The flag in a key's note that grants delegate access. */
const DELEGATE_FLAG = /(^|[\s,;])delegate:on($|[\s,;])/;

/**
 * Checks whether a key's note grants delegate access, which the closed beta requires.
 *
 * @example hasDelegateAccess('Acme; delegate:on') // true
 */
export function hasDelegateAccess(note: string): boolean {
  return DELEGATE_FLAG.test(note);
}
