import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Compliance, ComplianceError } from '@compliance/client';
import {
  type CertificateContext,
  type CertificateRecord,
  certificate,
  draftWarning,
  EFILING_TARGETS,
  type EfilingTarget,
  efilingPack,
  explain,
  InvalidRequest,
  kindOfRequest,
  openFonts,
  registryFile,
  registryRow,
  render,
  renderTrackingLabel,
  variantRecords,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { Command, Option } from 'commander';
import { readAttachments } from '../certificates/attachments.ts';
import { certifyRows } from '../certificates/certify-rows.ts';
import { readRegistryRows } from '../certificates/registry-rows.ts';
import { openCommandSigner } from '../certificates/signing.ts';
import { CliError, fileError } from '../cli-error.ts';
import { readCodeList, readDisclaim, readJson, readLabList } from '../input/certificate-files.ts';
import { CERTIFICATE_TEMPLATES } from '../input/certificate-template.ts';
import { jsonOption } from '../options.ts';
import { notify } from '../output/notice.ts';
import { print, sanitizeForTerminal } from '../output/print.ts';

interface Options {
  template?: true | string;
  csv?: string;
  out?: string;
  labs?: string;
  trackingLabel?: string;
  registryCsv?: string;
  efiling?: string;
  efilingTarget: EfilingTarget;
  codes?: string;
  disclaim?: string;
  fromRegistry?: string;
  paper?: 'letter' | 'a4';
  attach?: readonly string[];
  attachFrom?: string;
  zip?: string;
  merged?: string;
  sign?: string;
  signer?: string;
  timestamp?: string;
  verificationUrl?: string;
  server?: string;
  json?: boolean;
}

/**
 * The `compliance certify` command, which creates a certificate of the type that the request specifies. With
 * `--server`, the service issues and stores the certificate. Otherwise, the certificate is created locally and isn't
 * published, so it can't be verified online.
 */
export default new Command('certify')
  .description(
    "Create a General Certificate of Conformity or a Children's Product Certificate as a PDF and list any missing information.",
  )
  .argument('[file]', 'JSON file with the request (- for standard input)')
  .option(
    '--template [kind]',
    'print a sample request: gcc (default) or cpc; with --csv, print the request file with the fields that all rows share',
  )
  .addOption(
    new Option(
      '--csv <file>',
      'create a certificate for each row of a CSV file with columns named after fields, such as product_info.name; requires --out',
    ).conflicts(['server', 'registryCsv', 'trackingLabel', 'paper']),
  )
  .option(
    '-o, --out <file>',
    'PDF file to write (default: the request filename with the extension .pdf); with --csv, the folder to write to',
  )
  .option('--zip <file>', 'with --csv, also write a ZIP file with the PDFs')
  .option('--merged <file>', 'with --csv, also write a PDF file with copies of all certificates, for printing')
  .addOption(
    new Option(
      '--labs <file>',
      'JSON file with a list of CPSC-accepted laboratories, and the list’s date and source',
    ).conflicts('server'),
  )
  .option('--tracking-label <file>', "also write the tracking label sheet for a Children's Product Certificate")
  .option(
    '--registry-csv <file>',
    'also write a CSV file for the CPSC Product Registry, even if required values are missing',
  )
  .option(
    '--efiling <file>',
    'also write the eFiling data for a target; if a required value or code is missing, nothing is written',
  )
  .addOption(
    new Option('--efiling-target <target>', 'eFiling target; --csv supports only registry_csv')
      .choices(EFILING_TARGETS)
      .default('registry_csv' satisfies EfilingTarget),
  )
  .option('--codes <file>', 'JSON file with a list of eFiling citation codes by rule, and the list’s date and source')
  .option('--disclaim <file>', 'JSON file with the facts for a disclaim message')
  .option(
    '--from-registry <file>',
    'print a request for each row of a Product Registry CSV file, as NDJSON; requires --codes',
  )
  .addOption(new Option('--paper <size>', 'paper size; overrides the request').choices(['letter', 'a4']))
  .addOption(
    new Option(
      '--verification-url <url>',
      'public URL of the certificate, printed as text and as a QR code; without a URL, the PDF has no QR code',
    ).conflicts('server'),
  )
  .addOption(
    new Option(
      '--attach <file>',
      'attach a PDF, PNG, or JPEG file, such as a test report; repeat the option for more files',
    )
      .argParser((file, files: readonly string[] = []) => [...files, file])
      .conflicts('server'),
  )
  .option('--attach-from <folder>', 'with --csv, folder that contains the files named in the `attach` column')
  .addOption(
    new Option(
      '--sign <file>',
      'sign the PDF with the key in this PKCS#12 file, whose password is in COMPLIANCE_SIGNING_PASSWORD',
    ).conflicts('server'),
  )
  .addOption(
    new Option(
      '--signer <module>',
      'sign the PDF with the signer exported by this JavaScript module, for example to use a key in a hardware security module',
    ).conflicts('server'),
  )
  .option('--timestamp <url>', 'add a timestamp from this timestamp authority (RFC 3161) to the signature')
  .option('--server <url>', 'issue the certificate through this service, with the API key in COMPLIANCE_API_KEY')
  .addOption(jsonOption("print the certificate record, or the service's response, as JSON"))
  .action(async (file: string | undefined, options: Options) => {
    if (options.csv !== undefined) return await certifyCsv(options.csv, options);
    for (const [name, value] of [
      ['zip', options.zip],
      ['merged', options.merged],
      ['attach-from', options.attachFrom],
    ])
      if (value !== undefined) throw new CliError(`--${name} requires --csv.`, 2);
    if (options.template !== undefined) return print(templateOf(options.template));
    if (options.fromRegistry !== undefined) return await printRequests(options.fromRegistry, options.codes);
    if (file === undefined && options.efiling !== undefined && options.efilingTarget === 'fedex_disclaim')
      return await disclaimWithoutCertificate(options.efiling, options);
    if (file === undefined)
      throw new CliError('Specify a request file. To print a sample request, run: compliance certify --template', 2);
    const sign = await openCommandSigner(options);
    const read = await readJson(file);
    const request = options.paper === undefined ? read : { ...(read as object), paper: options.paper };
    const acceptedLabs = options.labs === undefined ? null : await readLabList(options.labs);
    const attachments = await readAttachments(options.attach);
    const context = { verificationUrl: options.verificationUrl ?? null, acceptedLabs, attachments };
    const record = createRecord(file, request, context);
    if (options.trackingLabel !== undefined && !record.childrens)
      throw new CliError("--tracking-label requires a Children's Product Certificate.", 2);
    const efiling = options.efiling === undefined ? null : await efilingData(record, options);
    const out = options.out ?? `${basename(file).replace(/\.jsonc?$/, '')}.pdf`;
    const issued = options.server === undefined ? null : await issue(options.server, request);
    const fonts = openFonts(loadFace);
    const pdf = issued?.pdf ?? (await render(record, fonts, attachments));
    await save(out, sign ? await sign(pdf, { at: record.issued_at }) : pdf);
    if (options.trackingLabel !== undefined)
      await save(options.trackingLabel, await renderTrackingLabel(record, fonts));
    if (options.registryCsv !== undefined)
      await save(options.registryCsv, registryFile(variantRecords(record).map(each => registryRow(each.record))));
    if (efiling) await save(options.efiling!, efiling.content);
    if (options.json) return print(JSON.stringify(issued?.response ?? record));
    const link = issued ? [`Issued certificate ${issued.response.gcc_id}: ${issued.response.verification_url}`] : [];
    const published = { ...record, verification_url: issued?.response.verification_url ?? record.verification_url };
    const notes = [
      ...(options.registryCsv === undefined
        ? []
        : wroteLines(options.registryCsv, [...draftWarning(record), 'Required values and codes weren’t checked.'])),
      ...(efiling ? wroteLines(options.efiling!, efiling.notes) : []),
    ];
    print([`Wrote ${out}.`, ...link, '', sanitizeForTerminal([explain(published), ...notes].join('\n'))].join('\n'));
  });

/** Issues a certificate through a service and downloads its PDF. */
async function issue(server: string, request: unknown) {
  const apiKey = process.env.COMPLIANCE_API_KEY;
  if (!apiKey) throw new CliError('Set COMPLIANCE_API_KEY to an API key with the `entry` or `all` scope.', 2);
  let problem = `${server} didn't issue the certificate`;
  try {
    const client = new Compliance({ apiKey, baseURL: server });
    const { cpc, gcc } = client.entry;
    const group = kindOfRequest(request) === 'CPC' ? cpc : gcc;
    const response = await group.generate(request as never, { idempotencyKey: randomUUID() });
    problem = `${server} issued certificate ${response.gcc_id}, but its PDF couldn't be downloaded`;
    return { response, pdf: await client.downloadCertificate(response) };
  } catch (error) {
    if (!(error instanceof ComplianceError) && !(error instanceof TypeError)) throw error;
    throw new CliError(`${problem}: ${error.message}`);
  }
}

/** Creates a certificate for each row of a CSV file and prints a summary. Exits with code 1 if a row fails. */
async function certifyCsv(csv: string, options: Options): Promise<void> {
  const { template, out, labs, verificationUrl, json, efiling, efilingTarget, codes } = options;
  if (out === undefined) throw new CliError('--csv requires --out: specify the output folder.', 2);
  if (verificationUrl !== undefined && !verificationUrl.includes('{id}'))
    throw new CliError('With --csv, --verification-url must contain {id}.', 2);
  if (efiling !== undefined && efilingTarget !== 'registry_csv')
    throw new CliError('With --csv, --efiling writes only registry_csv.', 2);
  if (efiling !== undefined && codes === undefined) throw new CliError('With --csv, --efiling requires --codes.', 2);
  const result = await certifyRows({
    ...{ csv, folder: out, verificationUrl: verificationUrl ?? null },
    template: typeof template === 'string' ? await readJson(template) : {},
    acceptedLabs: labs === undefined ? null : await readLabList(labs),
    attachments: await readAttachments(options.attach),
    attachFrom: options.attachFrom ?? null,
    sign: await openCommandSigner(options),
    zip: options.zip ?? null,
    merged: options.merged ?? null,
    efiling: efiling === undefined ? null : { codes: codes === undefined ? null : await readCodeList(codes) },
  });
  const complete = efiling !== undefined && result.bad.length === 0;
  if (complete) await save(efiling, registryFile(result.registry!.rows));
  if (json) print(JSON.stringify(result));
  else {
    const counts = Object.entries(result.issued).map(([status, count]) => `${count} ${status}`);
    const made = `Certificates created in ${out}: ${counts.join(', ') || 'none'}.`;
    const kept = result.skipped > 0 ? [`Already created: ${result.skipped}.`] : [];
    const collections = result.collections.map(name => `Wrote ${name}.`);
    const notes = complete ? wroteLines(efiling, result.registry!.notes) : [];
    print(sanitizeForTerminal([made, ...kept, ...collections, ...notes].join('\n')));
  }
  if (result.bad.length === 0) return;
  const rows = result.bad.map(({ line, column, message }) => `  line ${line}, ${column}: ${message}`);
  const unwritten =
    efiling === undefined ? '' : `\n${efiling} wasn't written. Correct these rows and repeat the command.`;
  throw new CliError(
    sanitizeForTerminal(`No certificate was created for some rows of ${csv}:\n${rows.join('\n')}${unwritten}`),
  );
}

function templateOf(kind: true | string): string {
  const name = kind === true ? 'gcc' : kind.toLowerCase();
  if (name === 'gcc' || name === 'cpc') return CERTIFICATE_TEMPLATES[name];
  throw new CliError(`There's no sample request for ${kind}. Specify gcc or cpc.`, 2);
}

/** Content of an eFiling file, and notes about it, such as facts that couldn't be confirmed. */
interface EfilingData {
  readonly content: string;
  readonly notes: readonly string[];
}

/**
 * Returns a certificate's eFiling data.
 *
 * @throws CliError that lists every missing or invalid value, or explains why there's no data for the target
 */
async function efilingData(
  record: CertificateRecord | null,
  { efilingTarget, codes, disclaim }: Pick<Options, 'efilingTarget' | 'codes' | 'disclaim'>,
): Promise<EfilingData> {
  const [exported] = efilingPack(record, {
    targets: [efilingTarget],
    codes: codes === undefined ? null : await readCodeList(codes),
    ...(disclaim !== undefined && { disclaim: await readDisclaim(disclaim) }),
  });
  const { content, status, title, gaps, notes } = exported!;
  if (content !== null) return { content, notes };
  if (status === 'unavailable') throw new CliError(`Nothing was written for ${title}. ${notes.join(' ')}`, 2);
  const lines = gaps.map(({ path, message }) => `  ${path}: ${message}.`);
  throw new CliError(`Nothing was written, because the data for ${title} is incomplete:\n${lines.join('\n')}`);
}

/** Writes a disclaim message for a product without a certificate. */
async function disclaimWithoutCertificate(file: string, options: Options): Promise<void> {
  const { content, notes } = await efilingData(null, options);
  await save(file, content);
  print(sanitizeForTerminal(wroteLines(file, notes).slice(1).join('\n')));
}

function wroteLines(file: string, notes: readonly string[]): string[] {
  return ['', `Wrote ${file}.`, ...notes.map(note => `- ${note}`)];
}

/** Prints a request for each row of a Product Registry CSV file and reports the values that aren't in the requests. */
async function printRequests(file: string, codes: string | undefined): Promise<void> {
  if (codes === undefined) throw new CliError('--from-registry requires --codes.', 2);
  const { requests, notes } = await readRegistryRows(file, await readCodeList(codes));
  print(requests.map(request => JSON.stringify(request)).join('\n'));
  if (notes.length > 0) notify(sanitizeForTerminal(notes.join('\n')));
}

function createRecord(
  file: string,
  request: unknown,
  context: Pick<CertificateContext, 'verificationUrl' | 'acceptedLabs' | 'attachments'>,
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
