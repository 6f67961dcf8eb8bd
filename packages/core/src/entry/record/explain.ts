import type { CertificateRecord } from './certificate.ts';

/**
 * What is still missing for a complete certificate, in plain English: one line per element of 16 CFR 1110.11(a), then the
 * warnings. Not legal advice.
 *
 * @example explain(record) // 'This certificate is incomplete: …'
 */
export function explain(record: CertificateRecord): string {
  const { completeness, warnings } = record;
  const lines =
    completeness.status === 'complete'
      ? [
          'This certificate has every element that 16 CFR 1110.11(a) asks for. Whether they are true is the certifier’s word.',
        ]
      : [
          `This certificate is incomplete: ${completeness.missing.length} of the details that 16 CFR 1110.11(a) asks for are missing.`,
          ...completeness.missing.map(({ element, path, message }) => `- ${message}. Field ${path} (${element})`),
        ];
  if (warnings.length > 0) lines.push('', 'To check:');
  for (const { path, message, citation } of warnings) {
    lines.push(`- ${path}: ${message}${citation ? ` (${citation})` : ''}`);
  }
  return `${lines.join('\n')}\n`;
}
