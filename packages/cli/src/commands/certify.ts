import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type CertificateRecord,
  certificate,
  explain,
  InvalidRequest,
  openFonts,
  registryHeader,
  registryRow,
  render,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { Failure } from '../failure.ts';
import { CERTIFICATE_TEMPLATE } from '../input/certificate-template.ts';
import { print, printable } from '../output/print.ts';

interface Options {
  template?: boolean;
  out?: string;
  registryCsv?: string;
  paper?: 'letter' | 'a4';
  verificationUrl?: string;
  json?: boolean;
}

/** `compliance certify`. The certificate is drawn here and kept nowhere; the service issues those that can be verified. */
export async function certifyCommand(file: string | undefined, options: Options): Promise<void> {
  if (options.template) return print(CERTIFICATE_TEMPLATE);
  if (file === undefined)
    throw new Failure('Give a file with the request; compliance certify --template prints one.', 2);
  const id = randomUUID();
  const request = await readRequest(file);
  const record = recordOf(
    file,
    options.paper === undefined ? request : { ...(request as object), paper: options.paper },
    id,
    options.verificationUrl ?? `https://not-published.invalid/gcc/${id}`,
  );
  const out = options.out ?? `${basename(file).replace(/\.jsonc?$/, '')}.pdf`;
  await save(out, await render(record, openFonts(loadFace)));
  if (options.registryCsv !== undefined)
    await save(options.registryCsv, `${registryHeader}\r\n${registryRow(record)}\r\n`);
  if (options.json) return print(JSON.stringify(record));
  print([`Wrote ${out}.`, '', printable(explain(record))].join('\n'));
}

async function readRequest(file: string): Promise<unknown> {
  try {
    return JSON.parse(withoutComments(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')));
  } catch (error) {
    throw new Failure(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

/** Lines that are comments, as the template has them. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, '');
}

function recordOf(file: string, request: unknown, id: string, verificationUrl: string): CertificateRecord {
  const issuedAt = new Date().toISOString();
  try {
    return certificate(request, { id, issuedAt, today: issuedAt.slice(0, 10), verificationUrl });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const faults = error.issues.map(({ path, code, message }) => `  ${path || '(the request)'} ${message} (${code})`);
    throw new Failure(`${file} is no request for a certificate:\n${faults.join('\n')}`, 2);
  }
}

async function save(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch(error => {
    throw new Failure(`${file} cannot be written: ${error.message}`);
  });
}
