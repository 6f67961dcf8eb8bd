import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { Compliance, ComplianceError } from '@compliance/client';
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
  server?: string;
  json?: boolean;
}

/**
 * The `compliance certify` command, which creates a certificate. With `--server`, the service issues and stores the certificate.
 * Otherwise, the certificate is created locally and isn't published, so it can't be verified online.
 */
export default new Command('certify')
  .description('Create a General Certificate of Conformity as a PDF and list any missing information.')
  .argument('[file]', 'JSON file with the request (- for standard input)')
  .option('--template', 'print a sample request')
  .option('-o, --out <file>', 'PDF file to write (default: the name of the request file, ending in .pdf)')
  .option('--registry-csv <file>', 'also write a CSV file with a row for the CPSC Product Registry')
  .addOption(new Option('--paper <size>', 'paper size; overrides the request').choices(['letter', 'a4']))
  .addOption(
    new Option(
      '--verification-url <url>',
      'public URL of the certificate, printed as text and as a QR code; without a URL, the PDF has no QR code',
    ).conflicts('server'),
  )
  .option('--server <url>', 'issue the certificate through this service, with the API key in COMPLIANCE_API_KEY')
  .addOption(jsonOption("print the certificate record, or the service's response, as JSON"))
  .action(async (file: string | undefined, options: Options) => {
    if (options.template) return print(CERTIFICATE_TEMPLATE);
    if (file === undefined)
      throw new CliError('Specify a request file. To print a sample request: compliance certify --template', 2);
    const read = await readRequest(file);
    const request = options.paper === undefined ? read : { ...(read as object), paper: options.paper };
    const record = createRecord(file, request, options.verificationUrl ?? null);
    const out = options.out ?? `${basename(file).replace(/\.jsonc?$/, '')}.pdf`;
    const issued = options.server === undefined ? null : await issue(options.server, request);
    await save(out, issued?.pdf ?? (await render(record, openFonts(loadFace))));
    if (options.registryCsv !== undefined)
      await save(options.registryCsv, `${registryHeader}\r\n${registryRow(record)}\r\n`);
    if (options.json) return print(JSON.stringify(issued?.response ?? record));
    const link = issued ? [`Issued certificate ${issued.response.gcc_id}: ${issued.response.verification_url}`] : [];
    const published = { ...record, verification_url: issued?.response.verification_url ?? record.verification_url };
    print([`Wrote ${out}.`, ...link, '', sanitizeForTerminal(explain(published))].join('\n'));
  });

/** Issues a certificate through a service, and downloads its PDF. */
async function issue(server: string, request: unknown) {
  const apiKey = process.env.COMPLIANCE_API_KEY;
  if (!apiKey) throw new CliError('Set COMPLIANCE_API_KEY to an API key with the scope entry or all.', 2);
  try {
    const client = new Compliance({ apiKey, baseURL: server });
    const response = await client.entry.gcc.generate(request as Parameters<typeof client.entry.gcc.generate>[0], {
      idempotencyKey: randomUUID(),
    });
    return { response, pdf: await client.downloadCertificate(response) };
  } catch (error) {
    if (!(error instanceof ComplianceError) && !(error instanceof TypeError)) throw error;
    throw new CliError(`The service at ${server} didn't issue the certificate: ${error.message}`);
  }
}

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

function createRecord(file: string, request: unknown, verificationUrl: string | null): CertificateRecord {
  const issuedAt = new Date().toISOString();
  try {
    return certificate(request, { id: randomUUID(), issuedAt, today: issuedAt.slice(0, 10), verificationUrl });
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
