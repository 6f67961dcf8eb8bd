import { deserialize } from 'node:v8';

/**
 * Reply to a job: the job's ID, and either its result or an error message. `importError` means that the job's module
 * couldn't be imported, and `error` means any other failure.
 */
export type Reply = { readonly id: string } & (
  | { readonly result: unknown }
  | { readonly error: string }
  | { readonly importError: string }
);

/**
 * Maximum size of a serialized reply in bytes. A few bytes can describe an object that needs twenty times as much
 * memory, so a compromised worker could otherwise exhaust the service's memory.
 */
export const MAX_REPLY_BYTES = 16 * 2 ** 20;

const MAX_ERROR_LENGTH = 1_000;

/**
 * Reads a worker's reply. The worker might be compromised, so this function accepts only plain data, which can't run
 * code when it's read or change a prototype when it's copied.
 *
 * @returns null if the bytes aren't a valid reply
 * @example readReply(serialize({ id: '1', result: 42 })) // { id: '1', result: 42 }
 */
export function readReply(bytes: Uint8Array): Reply | null {
  try {
    const reply: unknown = deserialize(bytes);
    assertPlainData(reply, bytes.length);
    if (typeof reply !== 'object' || reply === null) return null;
    const { id, error, importError, result } = reply as Record<string, unknown>;
    if (typeof id !== 'string') return null;
    if (Object.hasOwn(reply, 'result')) return { id, result };
    if (typeof importError === 'string') return { id, importError: importError.slice(0, MAX_ERROR_LENGTH) };
    return typeof error === 'string' ? { id, error: error.slice(0, MAX_ERROR_LENGTH) } : null;
  } catch {
    return null;
  }
}

/**
 * Checks that a value consists only of primitives, plain objects, arrays, maps, sets, dates, and typed arrays.
 *
 * @param maxLength maximum array length, because a few bytes can describe a very long sparse array
 * @throws TypeError for any other value, for an array with holes, and for a property named `__proto__`
 */
function assertPlainData(root: unknown, maxLength: number): void {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) {
      if (value.length > maxLength) throw new TypeError('sparse array');
      for (let index = 0; index < value.length; index++) {
        if (!(index in value)) throw new TypeError('sparse array');
        open.push(value[index]);
      }
    } else if (value instanceof Map) {
      for (const [key, item] of value) open.push(key, item);
    } else if (value instanceof Set) {
      for (const item of value) open.push(item);
    } else if (Object.getPrototypeOf(value) === Object.prototype) {
      for (const [key, item] of Object.entries(value)) {
        if (key === '__proto__') throw new TypeError('property named __proto__');
        open.push(item);
      }
    } else if (!(ArrayBuffer.isView(value) || value instanceof Date)) {
      throw new TypeError('not plain data');
    }
  }
}
