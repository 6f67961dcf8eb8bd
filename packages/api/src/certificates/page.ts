import { createHash } from 'node:crypto';
import {
  type CertificateRecord,
  type CertificateStatus,
  type ChildrensFacts,
  certificateKind,
  efilingNotice,
  hasEnded,
  KINDS,
  printedDate,
  readRecord,
  type ThirdPartyTesting,
} from '@compliance/core/entry';
import type { Certificate, Store } from '@compliance/store';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import { ApiError } from '../errors/api-error.ts';
import { clientNetwork } from '../http/client-network.ts';
import type { ApiEnv } from '../http/context.ts';
import { poolCallerOf } from '../http/pool-caller.ts';
import { type Html, page } from '../pages/page.ts';
import { pageHeaders } from '../pages/security.ts';
import { dateTime } from '../pages/time.ts';
import { CHECK_SCRIPT } from './check-script.ts';
import type { Links } from './links.ts';
import type { DeliverPdf } from './marked-pdf.ts';
import { CERTIFICATE_PATH } from './paths.ts';

/** Path of the script that checks a PDF. */
const SCRIPT_PATH = '/assets/check-pdf.js';

/** Dependencies of the verification page. */
interface PageDeps {
  links: Links;
  deliver: DeliverPdf;
  /** The public base URL of the service. */
  baseUrl: string;
  /** Number of trusted reverse proxies in front of the service. */
  trustedProxies: number;
}

const STATUS: Record<CertificateStatus, { label: string; tone: string; lead: string }> = {
  draft: {
    label: 'Draft',
    tone: 'warn',
    lead: "This service issued the draft and hasn't voided it. The certifier hasn't attested to the draft, so it isn't a certificate.",
  },
  incomplete: {
    label: 'Incomplete',
    tone: 'warn',
    lead: "This service issued the certificate and hasn't voided it, but the certificate isn't complete.",
  },
  complete: {
    label: 'Complete',
    tone: 'good',
    lead: "This service issued the certificate and hasn't voided it. We didn't verify its contents.",
  },
  superseded: { label: 'Superseded', tone: 'warn', lead: 'This certificate was superseded by a newer one.' },
  voided: { label: 'Voided', tone: 'bad', lead: "This certificate was voided, so don't rely on it." },
};

/** Third-party testing results that don't establish whether CPSC accepts the laboratory for the rule. */
const OPEN_RESULTS: readonly ThirdPartyTesting[] = ['not_checked', 'scope_not_checked', 'unknown'];

/**
 * Lead paragraph for an attested Children's Product Certificate that, for at least one rule, doesn't list a test by a
 * CPSC-accepted laboratory.
 */
const UNTESTED =
  "This service issued the draft and hasn't voided it. For at least one rule, the draft doesn't list a test by a CPSC-accepted laboratory, so the draft isn't a certificate.";

/**
 * Lead paragraph for a complete Children's Product Certificate if, for at least one rule, it isn't known whether CPSC
 * accepts the laboratory.
 */
const ACCEPTANCE_NOT_CHECKED =
  "This service issued the certificate and hasn't voided it. We didn't verify its contents. For at least one rule, we didn't confirm that CPSC accepts the laboratory.";

/** Returns the page's heading. For a Children's Product Certificate, the heading also depends on the test results. */
function headingOf(status: CertificateStatus, { request, childrens }: CertificateRecord) {
  const heading = STATUS[status];
  if (status === 'draft' && request.attestation !== undefined) return { ...heading, lead: UNTESTED };
  const isOpen = childrens?.third_party_testing.some(result => OPEN_RESULTS.includes(result));
  return status === 'complete' && isOpen ? { ...heading, tone: 'warn', lead: ACCEPTANCE_NOT_CHECKED } : heading;
}

/** Maximum number of successors that the page follows to find the newest one. */
const MAX_SUCCESSORS = 50;

/**
 * Creates the verification page `GET /gcc/{id}`, whose URL is printed on the certificate and encoded in its QR code.
 * The page shows the certificate status and a new link to the PDF. In the browser, the page's script compares a PDF
 * with the issued one. Anyone who has the certificate can open the page, but search engines don't index it.
 */
export function verificationPages(
  store: Store,
  { links, deliver, baseUrl, trustedProxies }: PageDeps,
  clock: () => number,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(CERTIFICATE_PATH, pageHeaders(baseUrl, { scripted: true, connected: false }));
  app.get(CERTIFICATE_PATH, async c => {
    c.header('X-Robots-Tag', 'noindex');
    const certificate = await store.certificates.get(c.req.param('id'));
    if (!certificate) return c.html(await page({ title: 'Certificate not found', home: '/', body: notFound() }), 404);
    const { path } = links.sign(certificate, clock());
    const caller = poolCallerOf(c, { lane: 'keyless', tenant: clientNetwork(c, trustedProxies) });
    const shown = body(certificate, {
      download: path,
      successors: await successorsOf(certificate, store),
      markedSha256: await markedHash(certificate, () => deliver(certificate, caller)),
    });
    const { title } = KINDS[certificateKind(readRecord(certificate.record))];
    return c.html(await page({ title, home: '/', body: shown, script: SCRIPT_PATH }));
  });

  app.use(SCRIPT_PATH, etag());
  app.get(SCRIPT_PATH, c =>
    c.body(CHECK_SCRIPT, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
    }),
  );
  return app;
}

/** Returns the hash of the marked PDF, or null if the PDF doesn't need a mark or can't be marked now. */
async function markedHash({ status }: Certificate, delivered: () => Promise<Uint8Array>): Promise<string | null> {
  if (!hasEnded(status)) return null;
  const pdf = await delivered().catch(error => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  return pdf && createHash('sha256').update(pdf).digest('hex');
}

/** Returns a certificate's chain of successors, oldest first. */
async function successorsOf(certificate: Certificate, { certificates }: Store): Promise<Certificate[]> {
  const successors: Certificate[] = [];
  for (let next = certificate.supersededBy; next !== null && successors.length < MAX_SUCCESSORS; ) {
    const successor = await certificates.get(next);
    if (!successor) break;
    successors.push(successor);
    next = successor.supersededBy;
  }
  return successors;
}

function notFound(): Html {
  return html`<div class="narrow"><div class="heading"><h1>Certificate not found</h1>
<p class="lead">We didn't issue a certificate with this ID. Make sure that the URL matches the one printed on the certificate.</p></div></div>`;
}

function body(
  certificate: Certificate,
  {
    download,
    successors,
    markedSha256,
  }: { download: string; successors: readonly Certificate[]; markedSha256: string | null },
): Html {
  const record = readRecord(certificate.record);
  const { request, rules, certifying_party, completeness } = record;
  const { label, tone, lead } = headingOf(certificate.status, record);
  const ended = hasEnded(certificate.status);
  const product = request.product_info;
  return html`<div class="narrow">
<div class="heading"><p><span class="badge ${tone}">${label}</span></p><h1>${KINDS[certificateKind(record)].title}</h1>
<p class="lead">${lead}</p></div>
${endNotice(certificate, successors)}
${completeness.status === 'incomplete' && incompleteNotice(completeness)}
<section class="card" aria-label="Certificate"><dl class="facts">
<div><dt>Product</dt><dd>${product.name}${product.model !== undefined && html`, model ${product.model}`}${product.sku !== undefined && html`, SKU ${product.sku}`}</dd></div>
<div><dt>Rules cited</dt><dd>${rules.map((rule, at) => html`${at > 0 && html`<br>`}${rule.citation}${rule.subject !== null && html`, ${rule.subject}`}`)}</dd></div>
<div><dt>Certifier, as stated</dt><dd>${certifying_party?.name ?? 'not provided'}</dd></div>
<div><dt>Manufactured</dt><dd>${printedDate(product.date_of_manufacture)}, ${product.place_of_manufacture}</dd></div>
<div><dt>Issued</dt><dd>${dateTime(certificate.createdAt)}</dd></div>
<div><dt>Issuing account</dt><dd class="mono">${certificate.family}</dd></div>
${record.childrens && thirdPartyTests(record, record.childrens)}
${request.certificate_number !== undefined && html`<div><dt>Certificate number</dt><dd>${request.certificate_number}</dd></div>`}
<div><dt>Certificate ID</dt><dd class="mono">${certificate.id}</dd></div>
<div><dt>PDF SHA-256 hash</dt><dd class="mono">${certificate.sha256}</dd></div>
</dl>
<p class="small quiet">${
    ended
      ? `The PDF is marked as ${certificate.status} on every page. Its first ${certificate.size} bytes are identical to the issued PDF and have this hash.`
      : "A PDF with this hash hasn't changed since it was issued."
  } The certifier is responsible for the certificate's contents.</p>
${!ended && efilingNotice(record) !== null && html`<p class="small quiet">${efilingNotice(record)}</p>`}
${ended ? html`<p><a href="${download}">Download ${certificate.status} PDF</a></p>` : html`<p><a class="button" href="${download}">Download PDF</a></p>`}
</section>
${pdfCheck(certificate, markedSha256)}
</div>`;
}

/** Returns the form that compares a PDF with the issued one. The form is hidden until the script shows it. */
function pdfCheck({ sha256, size, status }: Certificate, markedSha256: string | null): Html {
  return html`<section class="card" id="check-pdf" aria-labelledby="check-pdf-name" hidden data-sha256="${sha256}" data-size="${size}" data-status="${status}"${markedSha256 !== null && html` data-marked-sha256="${markedSha256}"`}>
<h2 id="check-pdf-name">Check a PDF</h2>
<div class="field">
<label for="pdf">PDF file</label>
<span class="hint" id="pdf-hint">Check whether a file is an unchanged copy of this certificate. The file stays in your browser and isn't uploaded.</span>
<input id="pdf" type="file" accept="application/pdf,.pdf" aria-describedby="pdf-hint">
</div>
<p role="status"></p>
</section>`;
}

/** Renders the third-party testing results, and the date and source of the laboratory list. */
function thirdPartyTests({ rules }: CertificateRecord, { third_party_testing, lab_list }: ChildrensFacts): Html {
  const tests = third_party_testing.map(
    (result, at) => html`${at > 0 && html`<br>`}${rules[at]!.citation}: ${TESTING[result]}`,
  );
  const list = lab_list
    ? `Compared with the list of CPSC-accepted laboratories dated ${lab_list.as_of} (${lab_list.source})`
    : 'Not checked. No list of CPSC-accepted laboratories was supplied.';
  return html`<div><dt>Third-party tests</dt><dd>${tests}</dd></div>
<div><dt>Laboratory acceptance</dt><dd>${list}</dd></div>`;
}

const TESTING: Readonly<Record<ThirdPartyTesting, string>> = {
  accepted: 'tested by an accepted laboratory',
  scope_not_checked: 'tested by an accepted laboratory (scope not checked)',
  not_checked: 'tested by a laboratory (acceptance not checked)',
  not_accepted: 'no test by an accepted laboratory',
  small_batch: 'other test, as allowed for registered small batch manufacturers (registration not checked)',
  excluded: 'testing exclusion claimed',
  not_required: 'not required according to CPSC’s list',
  unknown: 'we don’t know whether a test is required',
};

function incompleteNotice({ missing, contradictions }: CertificateRecord['completeness']): Html {
  const list = (items: readonly { message: string }[]) =>
    html`<ul>${items.map(({ message }) => html`<li>${message}</li>`)}</ul>`;
  return html`<div class="notice warn">${missing.length > 0 && html`<p>Legally required information is missing:</p>${list(missing)}`}
${contradictions.length > 0 && html`<p>Some statements can't be correct:</p>${list(contradictions)}`}</div>`;
}

function endNotice({ voidedAt, voidReason }: Certificate, successors: readonly Certificate[]): Html {
  if (voidedAt !== null && voidReason !== null) {
    return html`<div class="notice bad"><p>Voided on ${dateTime(voidedAt)}. Reason: ${voidReason}</p></div>`;
  }
  const [next] = successors;
  const newest = successors.at(-1);
  if (!next || !newest) return html``;
  const through = next.id !== newest.id && html` That certificate has since been superseded, too.`;
  const current =
    newest.status === 'voided'
      ? html`The newest certificate, ${linkTo(newest)}, was voided, so no certificate is in force.`
      : html`<a class="button" href="/gcc/${newest.id}">View current certificate</a>`;
  return html`<div class="notice warn"><p>Superseded on ${dateTime(next.createdAt)} by ${linkTo(next)}.${through}</p>
<p>${current}</p></div>`;
}

function linkTo({ id }: Certificate): Html {
  return html`<a href="/gcc/${id}">${id}</a>`;
}
