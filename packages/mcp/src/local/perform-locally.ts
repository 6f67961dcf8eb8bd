import { createHash, randomUUID } from 'node:crypto';
import type { assessArticle } from '@compliance/contract/assess';
import { type efilingRequest, REGISTRY_LIMITS, type registryRequest } from '@compliance/contract/efiling';
import type { lookupRequest } from '@compliance/contract/lookup';
import {
  type AttachmentFile,
  type CertificateRecord,
  certificate,
  efilingNotice,
  efilingPack,
  type FlagList,
  type Fonts,
  InvalidRequest,
  importTable,
  initialStatus,
  type LabList,
  MAX_ATTACHMENTS,
  render,
  takeAttachments,
  withEfilingFlags,
} from '@compliance/core/entry';
import { type Capture, drift, type Inventory, type Profile, scan } from '@compliance/core/pixel';
import {
  AssessError,
  assess,
  compare,
  compareForCodes,
  type Dataset,
  easternDate,
  LookupOptionError,
  listsInForce,
  lookup,
  type ProgramSelection,
} from '@compliance/core/tariff';
import { parse } from 'csv-parse';
import type { z } from 'zod';
import { OperationError, type OperationId, type PerformOperation } from '../operations.ts';
import { invalidArguments } from '../tools/tool.ts';
import { attachmentFolder, type ReadAttachment } from './attachment-folder.ts';

/** A scan that a tool requests. */
interface LocalScan {
  readonly url: string;
  readonly html?: string;
  readonly profile?: Profile;
  readonly baseline?: Inventory;
}

/** Options for a scan. */
export interface PageScanOptions {
  /** Evaluate rules as of this date, in YYYY-MM-DD format. */
  readonly asOf: string;
  readonly profile?: Profile;
  readonly baseline?: Inventory;
}

/** Dependencies of the operations. */
export interface LocalDeps {
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number;
  readonly dataset: () => Dataset;
  /** HTS codes that CPSC flags for eFiling. Without this list, lookups state that the list isn't loaded. */
  readonly flags?: FlagList | null;
  /**
   * CPSC-accepted laboratories. Without this list, Children's Product Certificates state that the laboratories'
   * acceptance wasn't checked.
   */
  readonly acceptedLabs?: LabList | null;
  /** Reads certificate attachments whose content isn't in the request. By default, the server doesn't read files. */
  readonly readAttachment?: ReadAttachment;
  /** Opens the certificate fonts. Called for every certificate. */
  readonly fonts: () => Promise<Fonts>;
  /**
   * Fetches and scans the page at a URL.
   *
   * @throws OperationError if the page can't be scanned
   */
  readonly scanUrl: (url: string, options: PageScanOptions) => Promise<unknown>;
  /** Scans a captured page without fetching anything. Defaults to `scanInProcess`, which has no time limit. */
  readonly scanCapture?: (capture: Capture, options: PageScanOptions) => unknown;
}

/**
 * Creates a function that performs operations in this process, without a service.
 *
 * @example (await performLocally(deps)('tariff.hts.lookup', { codes: ['7318.15.2061'] })).results[0].status // 'hit'
 */
export function performLocally({
  clock,
  dataset,
  flags = null,
  acceptedLabs = null,
  readAttachment = attachmentFolder(null),
  fonts,
  scanUrl,
  scanCapture = scanInProcess,
}: LocalDeps): PerformOperation {
  const today = () => easternDate(clock());
  const operations: Record<OperationId, (request: never) => unknown> = {
    'tariff.hts.lookup': ({ codes, as_of, programs, origin, efiling }: z.output<typeof lookupRequest>) => {
      const found = lookup(codes, {
        asOf: as_of ?? today(),
        dataset: dataset(),
        ...(programs && { programs }),
        ...(origin && { origin }),
      });
      return efiling ? { ...found, ...withEfilingFlags(found.results, flags) } : found;
    },
    'tariff.assess': ({ code, as_of = today(), origin, facts }: z.output<typeof assessArticle>) =>
      assess({ code, as_of, origin, facts: facts ?? {} }, { dataset: dataset() }),
    'tariff.changes': ({ from, to }: Dates) => compare(from, to, 'all', dataset()),
    'tariff.hts.changes': ({ codes, from, to, programs }: Dates & { codes: string[]; programs?: ProgramSelection }) =>
      compareForCodes(codes, from, to, programs, dataset()),
    'tariff.lists': ({ as_of }: { as_of?: string }) => listsInForce(as_of ?? today(), dataset()),
    'pixel.scan': async ({ url, html, profile, baseline }: LocalScan) => {
      const options = { asOf: today(), ...(profile && { profile }), ...(baseline && { baseline }) };
      return await (html === undefined ? scanUrl(url, options) : scanCapture(captureOf(url, html), options));
    },
    'entry.gcc.generate': (request: unknown) =>
      drawCertificate(request, { now: clock(), fonts, acceptedLabs, readAttachment }),
    'entry.cpc.generate': (request: unknown) =>
      drawCertificate(request, { now: clock(), fonts, acceptedLabs, readAttachment }),
    'entry.gcc.efiling': (request: z.output<typeof efilingRequest>) =>
      exportEfiling(request, { now: clock(), acceptedLabs }),
    'entry.registry.read': readRegistry,
    'entry.gcc.label': () => needsService('run `compliance label`'),
    'entry.cpc.tracking_label': () => needsService('run `compliance certify --tracking-label`'),
    'entry.gcc.due': () => needsService('run `compliance certificates due`'),
    'entry.gcc.verify': () => needsService('run `compliance verify`'),
  };
  return async (operation, request) => {
    try {
      return await operations[operation](request as never);
    } catch (error) {
      throw toOperationError(error);
    }
  };
}

/** Rejects an operation that needs stored certificates. @throws OperationError always */
function needsService(alternative: string): never {
  const message = `This server doesn't store certificates. Connect to a service, or ${alternative}.`;
  throw new OperationError({ error: 'unavailable', message });
}

interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Returns a page's HTML as a capture without external scripts. */
function captureOf(url: string, html: string): Capture {
  const page = URL.parse(url);
  if (!page) {
    throw invalidArguments([{ path: 'url', message: 'Enter the page URL, such as https://shop.example/.' }]);
  }
  const headers = { 'content-type': 'text/html' };
  const location = { url: page.href, finalUrl: page.href };
  return { ...location, status: 200, headers, html, scripts: [], truncated: false, notes: [] };
}

/** Scans a page in this process and blocks the process until the scan is finished. */
export function scanInProcess(capture: Capture, { baseline, ...options }: PageScanOptions): unknown {
  const result = scan(capture, options);
  return { ...result, drift: baseline ? drift(baseline, result.inventory) : null, notes: [] };
}

/** Returns the record of a certificate that isn't stored and therefore has no verification URL. */
function recordOf(
  request: unknown,
  { now, acceptedLabs }: { now: number } & Pick<LocalDeps, 'acceptedLabs'>,
  attachments: readonly AttachmentFile[] = [],
): CertificateRecord {
  const issuedAt = new Date(now).toISOString();
  return certificate(request, {
    ...{ id: randomUUID(), issuedAt, today: issuedAt.slice(0, 10), verificationUrl: null },
    acceptedLabs: acceptedLabs ?? null,
    attachments,
  });
}

function exportEfiling(
  { certificate: input, ...options }: z.output<typeof efilingRequest>,
  context: { now: number } & Pick<LocalDeps, 'acceptedLabs'>,
) {
  try {
    return { targets: efilingPack(input === undefined ? null : recordOf(input, context), options) };
  } catch (error) {
    throw error instanceof InvalidRequest ? error.within('certificate') : error;
  }
}

async function readRegistry({ csv, codes }: z.output<typeof registryRequest>) {
  const parser = parse(csv, { bom: true, info: true, relax_column_count: true });
  try {
    return await importTable(parser, codes, REGISTRY_LIMITS);
  } catch (error) {
    throw error instanceof RangeError
      ? invalidArguments([{ path: 'csv', message: `The file ${error.message}.` }])
      : error;
  }
}

async function drawCertificate(
  input: unknown,
  {
    fonts,
    readAttachment,
    ...context
  }: { now: number } & Pick<LocalDeps, 'fonts' | 'acceptedLabs'> & Required<Pick<LocalDeps, 'readAttachment'>>,
) {
  const { request, attachments, issues } = takeAttachments(await withContent(input, readAttachment));
  if (issues.length > 0) throw new InvalidRequest(issues);
  const record = recordOf(request, context, attachments);
  const pdf = await render(record, await fonts(), attachments);
  const { name, model = null, sku = null } = record.request.product_info;
  const { warnings, completeness } = record;
  const data = {
    status: initialStatus(record),
    product: { name, model, sku },
    certifier: record.certifying_party?.name ?? null,
    warnings,
    completeness,
    efiling_notice: efilingNotice(record),
    record,
    pdf: { bytes: pdf.byteLength, sha256: createHash('sha256').update(pdf).digest('hex') },
  };
  return { data, pdf };
}

/**
 * Reads the content of each attachment that has only a filename. Leaves all other values unchanged for validation.
 *
 * @throws OperationError if a file can't be read
 */
async function withContent(input: unknown, readAttachment: ReadAttachment): Promise<unknown> {
  if (typeof input !== 'object' || input === null || !('attachments' in input)) return input;
  const { attachments } = input;
  if (!Array.isArray(attachments) || attachments.length > MAX_ATTACHMENTS) return input;
  const complete: unknown[] = [];
  for (const [at, each] of attachments.entries()) {
    const isName = typeof each?.filename === 'string' && each.content === undefined;
    const file = isName ? await readAttachment(each.filename) : null;
    if (file && 'problem' in file)
      throw invalidArguments([{ path: `attachments.${at}.filename`, message: file.problem }]);
    complete.push(file ? { ...each, content: Buffer.from(file.bytes).toString('base64') } : each);
  }
  return { ...input, attachments: complete };
}

/** Converts the library's errors about invalid arguments to operation errors. Returns other errors unchanged. */
function toOperationError(error: unknown): unknown {
  if (error instanceof AssessError) return invalidArguments([{ path: error.path, message: error.message }]);
  if (error instanceof InvalidRequest) return invalidArguments(error.issues);
  if (error instanceof LookupOptionError) {
    return invalidArguments([{ path: error.option === 'asOf' ? 'as_of' : error.option, message: error.message }]);
  }
  return error;
}
