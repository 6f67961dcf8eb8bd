import { writeFile } from 'node:fs/promises';
import type { CertificateRecord } from '@compliance/core/entry';
import { isCalendarDate } from '@compliance/core/tariff';
import type { Certificate } from '@compliance/store';
import { ACTOR } from '../actor.ts';
import { Failure } from '../failure.ts';
import { day, print, printable, table } from '../output/print.ts';
import { withStore } from '../store.ts';

interface Options {
  data: string;
  json?: boolean;
}

const DAY_MS = 86_400_000;

/** `compliance certificates find` */
export async function findCertificates(
  words: string[],
  { from, to, limit, before, data, json }: Options & { from?: string; to?: string; limit: number; before?: string },
): Promise<void> {
  const query = {
    text: words.join(' '),
    from: from === undefined ? undefined : midnight('--from', from),
    until: to === undefined ? undefined : midnight('--to', to) + DAY_MS,
    ...{ limit, before },
  };
  const found = await withStore(data, store => store.certificates.search(query));
  if (json) return print(JSON.stringify(found.map(withRecord)));
  if (found.length === 0) return print('No certificate fits.');
  const rows = found.map(certificate => {
    const { name, sku } = recordOf(certificate).request.product_info;
    const product = printable(sku === undefined ? name : `${name}, ${sku}`);
    return [certificate.id, certificate.status, day(certificate.createdAt), certificate.sha256.slice(0, 12), product];
  });
  print(table(['Number', 'Status', 'Issued', 'SHA-256', 'Product, SKU'], [38, 12, 12, 14], rows));
  if (found.length === limit) print(`\nOlder ones: the same with --before ${found.at(-1)!.id}`);
}

/** `compliance certificates show` */
export async function showCertificate(id: string, { pdf, data, json }: Options & { pdf?: string }): Promise<void> {
  const { certificate, bytes } = await withStore(data, async store => {
    const certificate = await store.certificates.get(id);
    if (!certificate) throw new Failure(`No certificate has the number ${printable(id)}.`);
    return { certificate, bytes: pdf === undefined ? null : await store.certificates.pdf(id) };
  });
  if (bytes && pdf !== undefined) {
    await writeFile(pdf, bytes).catch(error => {
      throw new Failure(`${pdf} cannot be written: ${error.message}`);
    });
  }
  print(json ? JSON.stringify(withRecord(certificate)) : described(certificate));
}

/** `compliance certificates void` */
export async function voidCertificate(id: string, { reason, data, json }: Options & { reason: string }): Promise<void> {
  const voided = await withStore(data, store => store.certificates.void(id, { reason, actor: ACTOR }));
  print(json ? JSON.stringify(withRecord(voided)) : `Voided ${voided.id}. Its page says so, with the reason.`);
}

function described(certificate: Certificate): string {
  const { request, verification_url, warnings, completeness } = recordOf(certificate);
  const { name, model, sku } = request.product_info;
  const end =
    certificate.voidReason !== null
      ? ` since ${day(certificate.voidedAt)}: ${certificate.voidReason}`
      : certificate.supersededBy !== null
        ? ` by ${certificate.supersededBy}`
        : '';
  const facts = [
    ['Product', [name, model, sku].filter(Boolean).join(', ')],
    ['Status', `${certificate.status}${end}${completeness.status === 'incomplete' ? ' (draft)' : ''}`],
    ['Issued', new Date(certificate.createdAt).toISOString()],
    ['Family', certificate.family],
    ['SHA-256', certificate.sha256],
    ['Page', verification_url],
    ...(certificate.supersedes === null ? [] : [['Supersedes', certificate.supersedes]]),
  ];
  return [
    ...facts.map(([label, value]) => `${label!.padEnd(11)} ${printable(value!)}`),
    ...warnings.map(({ code, message }) => `Warning     ${printable(message)} (${printable(code)})`),
  ].join('\n');
}

function recordOf({ record }: Certificate): CertificateRecord {
  return JSON.parse(record);
}

/** For JSON, the record as an object and not as a text. */
function withRecord(certificate: Certificate): object {
  return { ...certificate, record: recordOf(certificate) };
}

function midnight(option: string, date: string): number {
  if (!isCalendarDate(date)) throw new Failure(`${option} ${date}: give a day as YYYY-MM-DD.`, 2);
  return Date.parse(date);
}
