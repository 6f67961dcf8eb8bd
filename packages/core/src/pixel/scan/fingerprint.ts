import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Finding } from '../model/finding.ts';

/**
 * Returns the fingerprint that identifies a finding across scans: 32 lowercase hex digits. The fingerprint stays the
 * same if the finding moves within its page or file, or if its message, severity, or URL query string changes. The
 * fingerprint changes if the rule, variant, IDs, page, or file changes. Two findings in one scan share a fingerprint if
 * they have the same rule, variant, IDs, page, and file.
 *
 * @example fingerprint(finding) === fingerprint({ ...finding, where: { ...finding.where, line: 99 } }) // true
 */
export function fingerprint({
  rule_id,
  variant,
  ids,
  where,
}: Pick<Finding, 'rule_id' | 'variant' | 'ids' | 'where'>): string {
  const page = where.url.replace(/[?#].*$/s, '');
  // JSON distinguishes one ID that contains a separator from two IDs.
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([rule_id, variant, ids, page])))).slice(0, 32);
}
