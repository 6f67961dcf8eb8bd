import {
  type CertificateFile,
  type CertificateRecord,
  certificateKind,
  compareWithDrawing,
  compareWithIssued,
  type DrawingComparison,
  hasEnded,
  type IssuedCertificate,
  type IssuedComparison,
  initialStatus,
  KINDS,
  openFonts,
  parseIssuedCertificate,
  readCertificateFile,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import type { PdfSignature } from '@compliance/signing';
import { Command } from 'commander';
import { readPdf } from '../certificates/read-pdf.ts';
import { loadSigning } from '../certificates/signing.ts';
import { CliError } from '../cli-error.ts';
import { jsonOption } from '../options.ts';
import { print, sanitizeForTerminal } from '../output/print.ts';

/** Maximum size of a service's response, in bytes, and the response timeout, in milliseconds. */
const MOST_RESPONSE_BYTES = 64 * 1024;
const RESPONSE_MS = 20_000;

/**
 * Outcome of a check. `ok` is true if the file is unchanged and nothing shows that the certificate was superseded or
 * voided.
 */
interface Outcome {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/**
 * The `compliance verify` command, which checks whether a PDF is an unchanged certificate issued by a service.
 * Without `--server`, the command can only compare the PDF with its attached data and check its signature.
 */
export default new Command('verify')
  .description(
    'Check whether a PDF is a certificate that matches its attached data or, with --server, the issued certificate.',
  )
  .argument('<file>', 'PDF file')
  .option('--server <url>', 'compare the file with the certificate that this service issued; no API key is needed')
  .addOption(jsonOption())
  .addHelpText(
    'after',
    '\nThe exit code is 1 if the file isn’t a certificate, was changed, or can’t be confirmed, or if the certificate wasn’t issued by the service, was superseded, or was voided.',
  )
  .action(async (path: string, { server, json }: { server?: string; json?: boolean }) => {
    const pdf = await readPdf(path);
    const file = readCertificateFile(pdf);
    const issued = server === undefined || file.id === null ? null : await issuedBy(server, file.id);
    const comparison = issued && compareWithIssued(pdf, issued);
    // If the file was compared with the issued certificate, there's no need to render the certificate again.
    const drawing = comparison ? null : await compareWithDrawing(pdf, file, openFonts(loadFace));
    const signature = await signatureOf(pdf);
    const outcome =
      server !== undefined
        ? online({ file, signature, server, issued, comparison })
        : offline({ file, signature, drawing: drawing ?? 'not_drawable' });
    if (json) {
      const { record, ...facts } = file;
      const status = issued?.status ?? null;
      print(JSON.stringify({ ok: outcome.ok, ...facts, comparison, drawing, status, issued, signature, record }));
    } else print(sanitizeForTerminal(outcome.lines.join('\n')));
    if (!outcome.ok) process.exitCode = 1;
  });

/**
 * A file's signature, `unchecked` if the package that checks signatures isn't installed, or null if the file isn't
 * signed.
 */
type Signature = PdfSignature | 'unchecked' | null;

async function signatureOf(pdf: Uint8Array): Promise<Signature> {
  if (!Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length).includes('/ByteRange')) return null;
  const signing = await loadSigning().catch(error => {
    if (error instanceof CliError) return null;
    throw error;
  });
  return signing ? await signing.readSignature(pdf) : 'unchecked';
}

function signatureText(signature: Exclude<Signature, null>): string {
  if (signature === 'unchecked') return 'not checked; install @compliance/signing to check it';
  const { intact, covers_file, signer, issuer, timestamp } = signature;
  if (!intact) return 'invalid; the signed content was changed';
  const time = timestamp === null ? 'without a timestamp' : `at ${timestamp} (according to the timestamp)`;
  const end = covers_file ? '' : ' Content was added to the file after it was signed.';
  return `valid; signed ${time}, with the signing certificate “${signer}” (issued by “${issuer}”).${end} This command doesn’t check whether the signing certificate is trusted.`;
}

function online({
  file,
  signature,
  server,
  issued,
  comparison,
}: {
  file: CertificateFile;
  signature: Signature;
  server: string;
  issued: IssuedCertificate | null;
  comparison: IssuedComparison | null;
}): Outcome {
  if (file.id === null) {
    const text = 'Not a certificate. The file doesn’t contain a certificate ID to look up.';
    return { ok: false, lines: [text] };
  }
  if (!issued || !comparison)
    return { ok: false, lines: [`Not issued. The service at ${server} didn’t issue certificate ${file.id}.`] };
  const name = `${issued.certificate_type} ${issued.gcc_id}`;
  const texts: Record<IssuedComparison, string> = {
    unchanged: `Unchanged. The file is ${name} as issued by the service at ${server}.`,
    unchanged_marked: `Unchanged. The file is ${name} with the current status mark from the service at ${server}.`,
    extended: `Changed. The file starts with ${name} as issued, followed by additional content that can change the pages.`,
    changed: `Changed. The file differs from ${name} as issued by the service at ${server}.`,
  };
  const isUnchanged = comparison === 'unchanged' || comparison === 'unchanged_marked';
  return {
    ok: isUnchanged && !hasEnded(issued.status),
    lines: [
      texts[comparison],
      ...facts(file, [
        ['Issued', issued.issued_at],
        ['Status', statusOf(issued)],
        ...(isUnchanged ? [] : [['Issued file', issued.sha256] as const]),
        ...(signature ? [['Signature', signatureText(signature)] as const] : []),
      ]),
      '',
      'Not checked: whether the statements on the certificate are true. The certifier is responsible for them.',
    ],
  };
}

function statusOf({ status, superseded_by, voided_at, void_reason }: IssuedCertificate): string {
  if (status === 'superseded') return `superseded by ${superseded_by}`;
  if (status === 'voided') return `voided on ${voided_at?.slice(0, 10)}: ${void_reason}. Don’t rely on it.`;
  return status === 'complete'
    ? 'complete, not superseded or voided'
    : `${status}, so the file isn’t a complete certificate`;
}

const OFFLINE: Record<DrawingComparison, string> = {
  identical: 'Consistent. The file matches, byte for byte, the PDF that this version generates from the attached data.',
  extended:
    'Extended. The file starts with a certificate that matches its attached data, but other content follows the certificate. The extra content can be a status mark, a signature, or a later change to the file.',
  different:
    'Not confirmed. The file differs from the PDF that this version generates from the attached data. Either the file was changed, or another version created it.',
  not_drawable: 'Not a certificate. The file has no readable certificate data.',
};

function offline({
  file,
  signature,
  drawing,
}: {
  file: CertificateFile;
  signature: Signature;
  drawing: DrawingComparison;
}): Outcome {
  const { record } = file;
  const isSigned = signature !== null && signature !== 'unchecked' && signature.intact && signature.covers_file;
  const isSignedDrawing = drawing === 'extended' && isSigned;
  return {
    ok: drawing === 'identical' || isSignedDrawing,
    lines: [
      isSignedDrawing
        ? 'Unchanged since it was signed. The file consists of a certificate that matches its attached data, followed by the signature.'
        : drawing === 'not_drawable' && record
          ? 'Not confirmed. The attached data isn’t valid in this version of the command, so the file can’t be compared with the data.'
          : OFFLINE[drawing],
      ...facts(file, [
        ...(record
          ? ([
              ['Document', KINDS[certificateKind(record)].title],
              ['Product', record.request.product_info.name],
              ['Claims', `issued ${record.issued_at}, then ${initialStatus(record)}`],
              ['Page', record.verification_url ?? 'none; the certificate isn’t published'],
              ...attached(record),
            ] as const)
          : []),
        ...(signature ? [['Signature', signatureText(signature)] as const] : []),
      ]),
      '',
      'The command didn’t check whether a service issued this certificate, or whether the certificate was superseded or voided. Only the',
      'issuing service can confirm this. If you trust the service, specify its URL: compliance verify FILE --server URL',
    ],
  };
}

/**
 * Returns an array with one line that lists the attached files, or an empty array if the certificate has no attached
 * files.
 */
function attached({ attachments = [] }: CertificateRecord): (readonly [string, string])[] {
  return attachments.length === 0 ? [] : [['Attached', attachments.map(({ filename }) => filename).join(', ')]];
}

function facts({ id, sha256, size }: CertificateFile, more: readonly (readonly [string, string])[]): string[] {
  const all = [['Certificate', id ?? 'no ID'], ...more, ['SHA-256', sha256], ['Size', `${size} bytes`]];
  return all.map(([label, value]) => `  ${label!.padEnd(12)} ${value}`);
}

/** Returns a service's verification data for a certificate, or null if the service didn't issue the certificate. */
async function issuedBy(server: string, id: string): Promise<IssuedCertificate | null> {
  if (!URL.canParse(server) || !/^https?:/.test(server))
    throw new CliError(`--server ${server}: enter a URL such as https://compliance.example.`, 2);
  try {
    const response = await fetch(new URL(`/gcc/${id}/verification`, server), {
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_MS),
    });
    const body = await limitedText(response);
    if (response.status === 404 && JSON.parse(body).error === 'certificate_not_found') return null;
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const issued = parseIssuedCertificate(JSON.parse(body));
    if (issued.gcc_id !== id) throw new RangeError('the response is for a different certificate');
    return issued;
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new CliError(`Can't look up the certificate at ${server}: ${sanitizeForTerminal(reason, 200)}`);
  }
}

async function limitedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_RESPONSE_BYTES) throw new RangeError('the response is too large');
  }
  return text;
}
