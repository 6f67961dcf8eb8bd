import { type EfilingTranslation, efilingMessage, messageText } from '../efiling-messages/efiling-messages.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import type { CodeList } from '../registry/codes.ts';
import { registryRows } from '../registry/export.ts';
import { registryFile } from '../registry/row.ts';
import type { EfilingContent, GapMessage, MessageContent } from './efiling-export.ts';
import { type Disclaim, fedexDisclaim } from './fedex/disclaim.ts';
import { fedexReference } from './fedex/reference.ts';
import { type EfilingTarget, UNCONFIRMED_TARGETS, WRITTEN_TARGETS } from './targets.ts';

/** Options for {@link efilingPack}. */
export interface EfilingOptions {
  /** Targets to write data for. The default is all targets, with a disclaim message only if `disclaim` is set. */
  readonly targets?: readonly EfilingTarget[] | undefined;
  /** Your list of citation codes, or null if you don't have one. */
  readonly codes?: CodeList | null | undefined;
  /** Facts in the disclaim message. */
  readonly disclaim?: Disclaim | undefined;
  /** Language of the messages, such as `de` from `@compliance/translations`. The default is English. */
  readonly translation?: EfilingTranslation | undefined;
}

/**
 * eFiling data for one target. If `status` is `ready`, `content` is the file's content. If `status` is `incomplete`,
 * `content` is null, and `gaps` identifies each missing or invalid value. If `status` is `unavailable`, no data can be
 * exported for the target, and `notes` explains why.
 */
export interface EfilingExport extends EfilingContent {
  readonly target: EfilingTarget;
  readonly title: string;
  readonly status: 'ready' | 'incomplete' | 'unavailable';
  readonly media_type: string | null;
  readonly filename: string | null;
}

/**
 * Returns a certificate's eFiling data for each target. A target's data is all or nothing: if a required value or
 * citation code is missing, `content` is null, and each gap states the path of the field.
 *
 * @param record the certificate, or null for a disclaim message about a product without a certificate
 * @example efilingPack(record, { codes }).find(({ target }) => target === 'registry_csv')?.status // 'ready'
 */
export function efilingPack(
  record: CertificateRecord | null,
  { targets, codes = null, disclaim, translation }: EfilingOptions,
): readonly EfilingExport[] {
  const chosen = targets ?? defaultTargets(disclaim !== undefined);
  return [...new Set(chosen)].map(target => {
    if (isUnconfirmed(target)) {
      const { title, reason } = UNCONFIRMED_TARGETS[target];
      const notes = [messageText(efilingMessage(reason), translation)];
      return { target, title, status: 'unavailable', ...NO_FILE, content: null, gaps: [], notes };
    }
    const { title, media_type, filename } = WRITTEN_TARGETS[target];
    const { content, gaps, notes } = contentFor(target, record, codes, disclaim ?? {});
    const status = content === null ? 'incomplete' : 'ready';
    return {
      ...{ target, title, status, media_type, filename, content },
      gaps: gaps.map(gap => ({ path: gap.path, message: messageText(gap, translation) })),
      notes: notes.map(note => messageText(note, translation)),
    };
  });
}

const NO_FILE = { media_type: null, filename: null };

const isUnconfirmed = (target: EfilingTarget): target is keyof typeof UNCONFIRMED_TARGETS =>
  Object.hasOwn(UNCONFIRMED_TARGETS, target);

function defaultTargets(disclaims: boolean): readonly EfilingTarget[] {
  const written = (Object.keys(WRITTEN_TARGETS) as (keyof typeof WRITTEN_TARGETS)[]).filter(
    target => disclaims || target !== 'fedex_disclaim',
  );
  return [...written, ...(Object.keys(UNCONFIRMED_TARGETS) as (keyof typeof UNCONFIRMED_TARGETS)[])];
}

function contentFor(
  target: keyof typeof WRITTEN_TARGETS,
  record: CertificateRecord | null,
  codes: CodeList | null,
  disclaim: Disclaim,
): MessageContent {
  if (target === 'fedex_disclaim') return fedexDisclaim(record, disclaim);
  if (record === null) return { content: null, gaps: [NO_CERTIFICATE], notes: [] };
  return target === 'fedex_reference' ? fedexReference(record) : registryCsv(record, codes);
}

const NO_CERTIFICATE: GapMessage = { path: 'certificate', ...efilingMessage('certificate_required') };

/** Returns the Registry's CSV file, with a header and a row for each product on a certificate. */
function registryCsv(record: CertificateRecord, codes: CodeList | null): MessageContent {
  const { rows, gaps, notes } = registryRows(record, codes);
  return { content: rows && registryFile(rows), gaps: gaps.map(({ column: _, ...gap }) => gap), notes };
}
