import type { CertificateRecord } from './certificate.ts';
import { efilingNotice } from './efiling.ts';

/**
 * Explains in plain English what's missing from a certificate and what to review. Returns a line for each missing
 * element, each contradiction, and each warning. This explanation isn't legal advice.
 *
 * @example explain(record) // 'This certificate is incomplete. …'
 */
export function explain(record: CertificateRecord): string {
  const { completeness, warnings } = record;
  const law = record.childrens ? '16 CFR 1110.11(a) and 15 U.S.C. 2063(a)(2)' : '16 CFR 1110.11(a)';
  const lines =
    completeness.status === 'complete'
      ? [
          `This certificate has every element required by ${law}. The certifier is responsible for the accuracy of these elements.`,
        ]
      : [
          'This certificate is incomplete.',
          ...section(
            `Missing elements that ${law} ${record.childrens ? 'require' : 'requires'}`,
            completeness.missing,
            missing => {
              return `${missing.message}. Field ${missing.path} (${missing.element})`;
            },
          ),
          ...section('Contradictions', completeness.contradictions, each => {
            return `${each.path}: ${each.message} (${each.citation})`;
          }),
        ];
  if (record.childrens) {
    lines.push(
      '',
      'Why it’s a children’s product:',
      ...record.childrens.age_grading.reasons.map(({ text, citation }) => `- ${text} (${citation})`),
    );
  }
  if (record.verification_url === null) {
    lines.push('', 'This certificate isn’t published, so it can’t be verified online.');
  }
  const contradicted = new Set(completeness.contradictions.map(({ path }) => path));
  const others = warnings.filter(({ path }) => !contradicted.has(path));
  if (others.length > 0) lines.push('', 'To review:');
  for (const { path, message, citation } of others) {
    lines.push(`- ${path}: ${message}${citation ? ` (${citation})` : ''}`);
  }
  const efiling = efilingNotice(record);
  if (efiling !== null) lines.push('', efiling);
  return `${lines.join('\n')}\n`;
}

/** Returns a title with the item count, followed by a line for each item. Returns no lines if there are no items. */
function section<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0 ? [] : ['', `${title}: ${items.length}`, ...items.map(item => `- ${line(item)}`)];
}
