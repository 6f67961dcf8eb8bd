import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { Compliance, ComplianceError } from '@compliance/client';
import {
  type CertificateContext,
  type CertificateRecord,
  type CodeList,
  certificate,
  explain,
  InvalidRequest,
  kindOfRequest,
  type LabList,
  openFonts,
  parseCodeList,
  parseLabList,
  type RegistryExport,
  type RegistryRow,
  registryExport,
  registryHeader,
  registryRow,
  render,
  renderTrackingLabel,
  requestOfRow,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { Command, Option } from 'commander';
import { parse } from 'csv-parse/sync';
import { certifyRows } from '../certificates/certify-rows.ts';
import { openSigner, type SignPdf } from '../certificates/signing.ts';
import { CliError, fileError } from '../cli-error.ts';
import { CERTIFICATE_TEMPLATES } from '../input/certificate-template.ts';
import { jsonOption } from '../options.ts';
import { print, sanitizeForTerminal } from '../output/print.ts';

interface Options {
  template?: true | string;
  csv?: string;
  out?: string;
  labs?: string;
  trackingLabel?: string;
  registryCsv?: string;
  efiling?: string;
  codes?: string;
  fromRegistry?: string;
  paper?: 'letter' | 'a4';
  sign?: string;
  timestamp?: string;
  verificationUrl?: string;
  server?: string;
  json?: boolean;
}

/**
 * The `compliance certify` command, which creates a certificate of the type that the request specifies. With `--server`, the
 * service issues and stores the certificate. Otherwise, the certificate is created locally and isn't published, so it can't be
 * verified online.
 */
export default new Command('certify')
  .description(
    "Create a General Certificate of Conformity or a Children's Product Certificate as a PDF and list any missing information.",
  )
  .argument('[file]', 'JSON file with the request (- for standard input)')
  .option(
    '--template [kind]',
    'print a sample request: gcc (default) or cpc; with --csv, the request file that contains the fields shared by all rows',
  )
  .addOption(
    new Option(
      '--csv <file>',
      'create a certificate for each row of a CSV file with columns named after fields, such as product_info.name; requires --out',
    ).conflicts(['server', 'efiling', 'registryCsv', 'trackingLabel', 'paper']),
  )
  .option(
    '-o, --out <file>',
    'PDF file to write (default: the request filename with the extension .pdf); with --csv, the folder to write to',
  )
  .addOption(
    new Option(
      '--labs <file>',
      'JSON file with a list of CPSC-accepted laboratories, its date, and its source',
    ).conflicts('server'),
  )
  .option('--tracking-label <file>', "also write the tracking label sheet of a Children's Product Certificate")
  .option(
    '--registry-csv <file>',
    'also write a CSV file with a row for the CPSC Product Registry, even if required values are missing',
  )
  .option(
    '--efiling <file>',
    'also write a CSV file for the CPSC Product Registry; if a required value or code is missing, nothing is written',
  )
  .option('--codes <file>', 'JSON file with eFiling citation codes by rule, their date, and their source')
  .option('--from-registry <file>', 'print the requests for the rows of a Product Registry CSV file; requires --codes')
  .addOption(new Option('--paper <size>', 'paper size; overrides the request').choices(['letter', 'a4']))
  .addOption(
    new Option(
      '--verification-url <url>',
      'public URL of the certificate, printed as text and as a QR code; without a URL, the PDF has no QR code',
    ).conflicts('server'),
  )
  .addOption(
    new Option(
      '--sign <file>',
      'sign the PDF with the key in this PKCS#12 file, whose password is in COMPLIANCE_SIGNING_PASSWORD',
    ).conflicts('server'),
  )
  .option('--timestamp <url>', 'add a timestamp from this timestamp authority (RFC 3161) to the signature')
  .option('--server <url>', 'issue the certificate through this service, with the API key in COMPLIANCE_API_KEY')
  .addOption(jsonOption("print the certificate record, or the service's response, as JSON"))
  .action(async (file: string | undefined, options: Options) => {
    if (options.csv !== undefined) return await certifyCsv(options.csv, options);
    if (options.template !== undefined) return print(templateOf(options.template));
    if (options.fromRegistry !== undefined) return print(await requestsOf(options.fromRegistry, options.codes));
    if (file === undefined)
      throw new CliError('Specify a request file. To print a sample request: compliance certify --template', 2);
    const sign = await signerOf(options);
    const read = await readRequest(file);
    const request = options.paper === undefined ? read : { ...(read as object), paper: options.paper };
    const acceptedLabs = options.labs === undefined ? null : await readLabs(options.labs);
    const record = createRecord(file, request, { verificationUrl: options.verificationUrl ?? null, acceptedLabs });
    if (options.trackingLabel !== undefined && !record.childrens)
      throw new CliError("--tracking-label requires a Children's Product Certificate.", 2);
    const efiling = options.efiling === undefined ? null : await exportFor(record, options.codes);
    const out = options.out ?? `${basename(file).replace(/\.jsonc?$/, '')}.pdf`;
    const issued = options.server === undefined ? null : await issue(options.server, request);
    const fonts = openFonts(loadFace);
    const pdf = issued?.pdf ?? (await render(record, fonts));
    await save(out, sign ? await sign(pdf, record.issued_at) : pdf);
    if (options.trackingLabel !== undefined)
      await save(options.trackingLabel, await renderTrackingLabel(record, fonts));
    if (options.registryCsv !== undefined)
      await save(options.registryCsv, `${registryHeader}\r\n${registryRow(record)}\r\n`);
    if (efiling) await save(options.efiling!, `${registryHeader}\r\n${efiling.row}\r\n`);
    if (options.json) return print(JSON.stringify(issued?.response ?? record));
    const link = issued ? [`Issued certificate ${issued.response.gcc_id}: ${issued.response.verification_url}`] : [];
    const published = { ...record, verification_url: issued?.response.verification_url ?? record.verification_url };
    const notes = efiling ? ['', `Wrote ${options.efiling}.`, ...efiling.notes.map(note => `- ${note}`)] : [];
    print([`Wrote ${out}.`, ...link, '', sanitizeForTerminal([explain(published), ...notes].join('\n'))].join('\n'));
  });

/** Opens the signing key that the options specify, or returns null if they don't specify one. */
async function signerOf({ sign, timestamp }: Options): Promise<SignPdf | null> {
  if (sign === undefined && timestamp !== undefined) throw new CliError('--timestamp requires --sign.', 2);
  return sign === undefined ? null : await openSigner(sign, timestamp);
}

/** Issues a certificate through a service, and downloads its PDF. */
async function issue(server: string, request: unknown) {
  const apiKey = process.env.COMPLIANCE_API_KEY;
  if (!apiKey) throw new CliError('Set COMPLIANCE_API_KEY to an API key with the `entry` or `all` scope.', 2);
  try {
    const client = new Compliance({ apiKey, baseURL: server });
    const { cpc, gcc } = client.entry;
    const group = kindOfRequest(request) === 'CPC' ? cpc : gcc;
    const response = await group.generate(request as never, { idempotencyKey: randomUUID() });
    return { response, pdf: await client.downloadCertificate(response) };
  } catch (error) {
    if (!(error instanceof ComplianceError) && !(error instanceof TypeError)) throw error;
    throw new CliError(`The service at ${server} didn't issue the certificate: ${error.message}`);
  }
}

/** Creates a certificate for each row of a CSV file, and prints a summary. Exits with code 1 if a row fails. */
async function certifyCsv(csv: string, options: Options): Promise<void> {
  const { template, out, labs, verificationUrl, json } = options;
  if (out === undefined) throw new CliError('--csv requires --out with the folder to write to.', 2);
  if (verificationUrl !== undefined && !verificationUrl.includes('{id}'))
    throw new CliError('With --csv, --verification-url must contain {id}.', 2);
  const result = await certifyRows({
    ...{ csv, folder: out, verificationUrl: verificationUrl ?? null },
    template: typeof template === 'string' ? await readRequest(template) : {},
    acceptedLabs: labs === undefined ? null : await readLabs(labs),
    sign: await signerOf(options),
  });
  if (json) print(JSON.stringify(result));
  else {
    const counts = Object.entries(result.issued).map(([status, count]) => `${count} ${status}`);
    const made = `Certificates created in ${out}: ${counts.join(', ') || 'none'}.`;
    print([made, ...(result.skipped > 0 ? [`Already created: ${result.skipped}.`] : [])].join('\n'));
  }
  if (result.bad.length === 0) return;
  const rows = result.bad.map(({ line, column, message }) => `  line ${line}, ${column}: ${message}`);
  throw new CliError(sanitizeForTerminal(`Some rows of ${csv} have no certificate:\n${rows.join('\n')}`));
}

function templateOf(kind: true | string): string {
  const name = kind === true ? 'gcc' : kind.toLowerCase();
  if (name === 'gcc' || name === 'cpc') return CERTIFICATE_TEMPLATES[name];
  throw new CliError(`There's no sample request for ${kind}. Specify gcc or cpc.`, 2);
}

/** Returns a certificate's row for the Product Registry. @throws CliError that lists every gap */
async function exportFor(record: CertificateRecord, codes: string | undefined): Promise<RegistryExport> {
  const exported = registryExport(record, codes === undefined ? null : await readCodeList(codes));
  if (exported.row !== null) return exported;
  const gaps = exported.gaps.map(({ path, message }) => `  ${path}: ${message}.`);
  throw new CliError(`Nothing was written, because the Product Registry row is incomplete:\n${gaps.join('\n')}`);
}

/** Converts the rows of a Product Registry CSV file to certificate requests, and returns the requests as JSON. */
async function requestsOf(file: string, codes: string | undefined): Promise<string> {
  if (codes === undefined) throw new CliError('--from-registry requires --codes.', 2);
  const list = await readCodeList(codes);
  const rows = parseCsv(file, await readText(file)) as { record: RegistryRow; info: { lines: number } }[];
  const requests = rows.map(({ record, info }) => {
    try {
      return requestOfRow(record, list);
    } catch (error) {
      throw new CliError(`${file}, line ${info.lines}: ${(error as RangeError).message}`, 2);
    }
  });
  return JSON.stringify(requests, null, 2);
}

function parseCsv(file: string, text: string): unknown[] {
  try {
    return parse(text, { columns: true, bom: true, info: true });
  } catch (error) {
    throw new CliError(`${file} isn't a valid CSV file: ${(error as Error).message}`, 2);
  }
}

async function readCodeList(file: string): Promise<CodeList> {
  const value = await readRequest(file);
  try {
    return parseCodeList(value);
  } catch (error) {
    throw new CliError(`${file} isn't a valid list of codes. ${(error as RangeError).message}`, 2);
  }
}

async function readLabs(file: string): Promise<LabList> {
  const value = await readRequest(file);
  try {
    return parseLabList(value);
  } catch (error) {
    throw new CliError(`${file} isn't a valid list of laboratories. ${(error as RangeError).message}`, 2);
  }
}

async function readRequest(file: string): Promise<unknown> {
  try {
    return JSON.parse(withoutComments(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')));
  } catch (error) {
    throw fileError(`Can't read ${file} as JSON`, error);
  }
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(error => {
    throw fileError(`Can't read ${file}`, error);
  });
}

/** Removes comment lines, such as the comments in the template. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, '');
}

function createRecord(
  file: string,
  request: unknown,
  context: Pick<CertificateContext, 'verificationUrl' | 'acceptedLabs'>,
): CertificateRecord {
  const issuedAt = new Date().toISOString();
  try {
    return certificate(request, { id: randomUUID(), issuedAt, today: issuedAt.slice(0, 10), ...context });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const issues = error.issues.map(({ path, code, message }) => `  ${path || '(request)'} ${message} (${code})`);
    throw new CliError(`${file} isn't a valid certificate request:\n${issues.join('\n')}`, 2);
  }
}

async function save(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch(error => {
    throw fileError(`Can't write ${file}`, error);
  });
}
