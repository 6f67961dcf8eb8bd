import type { CertificateRecord } from './certificate.ts';

/**
 * Explains in plain English which elements a certificate is missing. Returns a line for each missing element that 16
 * CFR 1110.11(a) requires, followed by the warnings. The explanation isn't legal advice.
 *
 * @example explain(record) // 'This certificate is incomplete. …'
 */
export function explain(record: CertificateRecord): string {
  const { completeness, warnings } = record;
  const lines =
    completeness.status === 'complete'
      ? [
          'This certificate has every element required by 16 CFR 1110.11(a). The certifier is responsible for the accuracy of these elements.',
        ]
      : [
          `This certificate is incomplete. Missing elements that 16 CFR 1110.11(a) requires: ${completeness.missing.length}.`,
          ...completeness.missing.map(({ element, path, message }) => `- ${message}. Field ${path} (${element})`),
        ];
  if (warnings.length > 0) lines.push('', 'To review:');
  for (const { path, message, citation } of warnings) {
    lines.push(`- ${path}: ${message}${citation ? ` (${citation})` : ''}`);
  }
  return `${lines.join('\n')}\n`;
}
