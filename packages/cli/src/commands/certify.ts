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
import { Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { CERTIFICATE_TEMPLATE } from '../input/certificate-template.ts';
import { jsonOption } from '../options.ts';
import { print, sanitizeForTerminal } from '../output/print.ts';

interface Options {
  template?: boolean;
  out?: string;
  registryCsv?: string;
  paper?: 'letter' | 'a4';
  verificationUrl?: string;
  json?: boolean;
}

/**
 * The `compliance certify` command, which creates a certificate without storing it. Only certificates issued by the service can
 * be verified online.
 */
export default new Command('certify')
  .description('Create a General Certificate of Conformity as a PDF and list any missing information.')
  .argument('[file]', 'JSON file with the request (- for standard input)')
  .option('--template', 'print a sample request')
  .option('-o, --out <file>', 'PDF file to write (default: the name of the request file, ending in .pdf)')
  .option('--registry-csv <file>', 'also write a CSV file with a row for the CPSC Product Registry')
  .addOption(new Option('--paper <size>', 'paper size; overrides the request').choices(['letter', 'a4']))
  .option('--verification-url <url>', 'public URL of the certificate, printed as text and as a QR code')
  .addOption(jsonOption('print the certificate record as JSON'))
  .action(async (file: string | undefined, options: Options) => {
    if (options.template) return print(CERTIFICATE_TEMPLATE);
    if (file === undefined)
      throw new CliError('Specify a request file. To print a sample request: compliance certify --template', 2);
    const id = randomUUID();
    const request = await readRequest(file);
    const record = createRecord(
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
    print([`Wrote ${out}.`, '', sanitizeForTerminal(explain(record))].join('\n'));
  });

async function readRequest(file: string): Promise<unknown> {
  try {
    return JSON.parse(withoutComments(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')));
  } catch (error) {
    throw new CliError(`Can't read ${file} as JSON: ${(error as Error).message}`);
  }
}

/** Removes comment lines, such as the comments in the template. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, '');
}

function createRecord(file: string, request: unknown, id: string, verificationUrl: string): CertificateRecord {
  const issuedAt = new Date().toISOString();
  try {
    return certificate(request, { id, issuedAt, today: issuedAt.slice(0, 10), verificationUrl });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const issues = error.issues.map(({ path, code, message }) => `  ${path || '(request)'} ${message} (${code})`);
    throw new CliError(`${file} isn't a valid certificate request:\n${issues.join('\n')}`, 2);
  }
}

async function save(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch(error => {
    throw new CliError(`Can't write ${file}: ${error.message}`);
  });
}
