import { writeFile } from 'node:fs/promises';
import type { Certificate } from '@compliance/store';
import { Command } from 'commander';
import { CliError, fileError } from '../../cli-error.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { formatDay, print, sanitizeForTerminal } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';
import { recordOf, withRecord } from './record.ts';

/** The `compliance certificates show` command. */
export default new Command('show')
  .description("Show a certificate's product, status, and warnings.")
  .argument('<id>', 'certificate ID, as printed on the certificate')
  .option('--pdf <file>', 'also save the PDF after verifying its SHA-256 hash')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { pdf, data, json }: StoreCommandOptions & { pdf?: string }) => {
    const { certificate, bytes } = await withStore(data, async store => {
      const certificate = await store.certificates.get(id);
      if (!certificate) throw new CliError(`Certificate ${sanitizeForTerminal(id)} not found.`);
      return { certificate, bytes: pdf === undefined ? null : await store.certificates.pdf(id) };
    });
    if (bytes && pdf !== undefined) {
      await writeFile(pdf, bytes).catch(error => {
        throw fileError(`Can't write ${pdf}`, error);
      });
    }
    print(json ? JSON.stringify(withRecord(certificate)) : summary(certificate));
  });

function summary(certificate: Certificate): string {
  const { request, verification_url, warnings, completeness } = recordOf(certificate);
  const { name, model, sku } = request.product_info;
  const end =
    certificate.voidReason !== null
      ? ` since ${formatDay(certificate.voidedAt)}: ${certificate.voidReason}`
      : certificate.supersededBy !== null
        ? ` by ${certificate.supersededBy}`
        : '';
  const facts = [
    ['Product', [name, model, sku].filter(Boolean).join(', ')],
    ['Status', `${certificate.status}${end}`],
    ['Issued', new Date(certificate.createdAt).toISOString()],
    ['Family', certificate.family],
    ['SHA-256', certificate.sha256],
    ['Page', verification_url],
    ...(certificate.supersedes === null ? [] : [['Supersedes', certificate.supersedes]]),
  ];
  return [
    ...facts.map(([label, value]) => `${label!.padEnd(11)} ${sanitizeForTerminal(value!)}`),
    ...completeness.contradictions.map(
      ({ code, message }) => `To fix      ${sanitizeForTerminal(message)} (${sanitizeForTerminal(code)})`,
    ),
    ...warnings.map(
      ({ code, message }) => `Warning     ${sanitizeForTerminal(message)} (${sanitizeForTerminal(code)})`,
    ),
  ].join('\n');
}
