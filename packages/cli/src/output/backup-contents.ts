import { quantity } from './scan-report.ts';

/** Returns a summary of a backup: `2 keys, 5 certificates with 5 PDFs, 9 audit entries` */
export function backupContents({ rows, pdfs }: { rows: Readonly<Record<string, number>>; pdfs: number }): string {
  const { keys = 0, certificates = 0, audit = 0 } = rows;
  return [
    quantity(keys, 'key'),
    `${quantity(certificates, 'certificate')} with ${quantity(pdfs, 'PDF')}`,
    `${audit} audit ${audit === 1 ? 'entry' : 'entries'}`,
  ].join(', ');
}
