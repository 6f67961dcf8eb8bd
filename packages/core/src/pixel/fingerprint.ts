import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Finding } from './finding.ts';

/**
 * Names a finding, so that it is known again in a later scan: 32 lower-case hex digits. It stays the same when the finding
 * moves on its page or in its file, changes its words or its severity, or its address another version number behind `?`. It
 * is another one for another rule, form of the rule, id, page or file. Two findings of one scan may share it: those that say
 * the same of the same ids in one place.
 *
 * @example fingerprint(finding) === fingerprint({ ...finding, where: { ...finding.where, line: 99 } }) // true
 */
export function fingerprint({
  rule_id,
  variant,
  ids,
  where,
}: Pick<Finding, 'rule_id' | 'variant' | 'ids' | 'where'>): string {
  const place = where.url.replace(/[?#].*$/s, '');
  // As JSON, so that no id can pass for two.
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([rule_id, variant, ids, place])))).slice(0, 32);
}
