import { type AttachmentFile, describeAttachments } from '../attachments/attachments.ts';
import { currentAttestation } from '../attestation/texts.ts';
import { childrensFacts } from '../childrens/facts.ts';
import type { LabList } from '../childrens/lab-list.ts';
import { catalog } from '../citations/catalog.ts';
import { type CertificateKind, KINDS } from '../kinds/kinds.ts';
import { countryOf } from '../places/places.ts';
import { citedRules } from '../request/cited-rules.ts';
import { InvalidRequest, type Issue } from '../request/issues.ts';
import { kindOfRequest, parseRequest } from '../request/parse.ts';
import type { CertificateRequest } from '../request/schema.ts';
import { type Completeness, completenessOf } from './completeness.ts';
import type { CertifyingParty, RecordFacts } from './facts.ts';
import { type Warning, warningsOf } from './warnings.ts';

/**
 * Facts that the caller provides in addition to the request. `id` is the certificate's permanent UUID, `issuedAt` is an
 * RFC 3339 time in UTC, `today` is the caller's date (YYYY-MM-DD), and `verificationUrl` is the permanent URL in the QR
 * code. If `verificationUrl` is null, the certificate isn't published, and the PDF contains a statement to that effect
 * instead of the URL and the QR code. `acceptedLabs` is your list of CPSC-accepted laboratories, which is compared with
 * the laboratories on Children's Product Certificates. Without a list, the record states that laboratory acceptance
 * wasn't checked. If `kind` is set, only certificates of that kind are accepted. By default, the request specifies the
 * kind. `attachments` contains files to attach to the PDF, such as test reports. Pass the same files to `render`.
 */
export interface CertificateContext {
  id: string;
  issuedAt: string;
  today: string;
  verificationUrl: string | null;
  acceptedLabs?: LabList | null;
  kind?: CertificateKind;
  attachments?: readonly AttachmentFile[];
}

/**
 * A certificate record: the request, the facts derived from the request, the warnings, and lists of missing elements
 * and contradictions. A record is plain JSON, and rendering it with the same package version always produces the same
 * bytes.
 */
export interface CertificateRecord extends RecordFacts {
  warnings: readonly Warning[];
  completeness: Completeness;
}

/** A record whose certificate has a verification URL. The service publishes every certificate that it issues. */
export type PublishedRecord = CertificateRecord & { readonly verification_url: string };

/**
 * Creates a certificate from a request. A request that lacks legally required elements still produces a certificate:
 * `warnings` and `completeness` list the missing elements, and the PDF contains a notice in place of each missing
 * value. The function never attests on anyone's behalf and never names a foreign manufacturer as the certifier. If the
 * request's `certificate_type` is `CPC`, the certificate is a Children's Product Certificate.
 *
 * Source: 16 CFR part 1110, as amended effective 2026-07-08, and, for children's products, 15 U.S.C. 2063(a)(2) and 16
 * CFR parts 1107 and 1109.
 *
 * @param input a value to validate as a certificate request.
 * @throws InvalidRequest if fields are missing or malformed, if a file can't be attached, or if a Children's Product
 * Certificate is requested for a product that isn't for children, or RangeError if the context is invalid.
 * @example
 * const record = certificate(body, { id, issuedAt: '2026-11-21T09:00:00Z', today: '2026-11-21', verificationUrl });
 * record.completeness.status; // 'incomplete'
 */
export function certificate(input: unknown, context: CertificateContext): CertificateRecord {
  checkContext(context);
  const { request, attachments } = validate(input, context);
  const country = countryOfManufacture(request);
  const rules = citedRules(request);
  const base: RecordFacts = {
    format: KINDS[kindOfRequest(request)].format,
    id: context.id,
    issued_at: context.issuedAt,
    verification_url: context.verificationUrl,
    request,
    country_of_manufacture: country,
    certifying_party: certifyingParty(request, country),
    rules,
    ...(request.certificate_type === 'CPC' && {
      childrens: childrensFacts(request, rules, context.acceptedLabs ?? null),
    }),
    ...(attachments.length > 0 && { attachments }),
    attestation_version: request.attestation?.text_version ?? currentAttestation.version,
    catalogue: catalog.version,
  };
  const completeness = completenessOf(base);
  return { ...base, warnings: warningsOf(base, completeness, context.today), completeness };
}

/** Validates the request and the files. @throws InvalidRequest with the issues from both */
function validate(input: unknown, { today, kind, attachments: files = [] }: CertificateContext) {
  const issues: Issue[] = [];
  const attempt = <Result>(step: () => Result): Result | null => {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      issues.push(...error.issues);
      return null;
    }
  };
  const request = attempt(() => parseRequest(input, today, kind));
  const attachments = attempt(() => describeAttachments(files));
  if (!request || !attachments) throw new InvalidRequest(issues);
  return { request, attachments };
}

/**
 * Parses a published certificate's record from JSON text. Adds an empty list of contradictions to records created
 * before contradictions were checked.
 *
 * @example readRecord(JSON.stringify(record)).completeness.contradictions // []
 */
export function readRecord(json: string): PublishedRecord {
  const record = JSON.parse(json) as PublishedRecord;
  return {
    ...record,
    completeness: { ...record.completeness, contradictions: record.completeness.contradictions ?? [] },
  };
}

function checkContext({ id, issuedAt, today, verificationUrl }: CertificateContext): void {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) throw new RangeError('id must be a UUID');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(issuedAt) || Number.isNaN(Date.parse(issuedAt))) {
    throw new RangeError('issuedAt must be an RFC 3339 timestamp in UTC');
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(today) || Number.isNaN(Date.parse(today)))
    throw new RangeError('today must be a date in YYYY-MM-DD format');
  if (verificationUrl !== null && !/^https?:\/\/[!-~]{1,300}$/.test(verificationUrl)) {
    throw new RangeError('verificationUrl must have 1 to 300 printable ASCII characters after http:// or https://');
  }
}

/**
 * Returns the country named in `place_of_manufacture` or, if that field doesn't name one, in
 * `place_of_manufacture_address`. If neither field names a country, returns the manufacturer's country.
 */
function countryOfManufacture({ product_info, manufacturer }: CertificateRequest): string | null {
  return (
    countryOf(product_info.place_of_manufacture) ??
    (product_info.place_of_manufacture_address && countryOf(product_info.place_of_manufacture_address)) ??
    manufacturer.country ??
    null
  );
}

function certifyingParty(request: CertificateRequest, country: string | null): CertifyingParty | null {
  if (request.certifier) {
    // The importer number, which identifies a business to U.S. customs, stays in the request and is never shown.
    const { importer_of_record_number: _, ...party } = request.certifier;
    return party;
  }
  if (country !== 'US') return null;
  const { contact_email, street, address, ...manufacturer } = request.manufacturer;
  return { role: 'domestic_manufacturer', ...manufacturer, address: street ?? address, email: contact_email };
}
