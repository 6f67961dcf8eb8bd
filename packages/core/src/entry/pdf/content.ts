import type { StoredLogo } from '../request/logo.ts';
import { isolate } from '../text/bidi.ts';

/** A label and its value. If the value is null, "Not provided" is printed instead. */
export interface PdfField {
  label: string;
  value: string | null;
  /** Whether the field is half as wide as the page. Half-width fields are laid out in pairs. */
  half?: boolean;
}

/** A content block in a section: labeled values, a table, a paragraph, or labeled lines for a signature and its date. */
export type ContentBlock =
  | { kind: 'fields'; fields: PdfField[] }
  | { kind: 'table'; columns: { title: string; share: number }[]; rows: string[][] }
  | { kind: 'paragraph'; text: string }
  | { kind: 'signature'; fields: [PdfField, PdfField] };

/** A numbered heading and its content. */
export interface PdfSection {
  heading: string;
  blocks: ContentBlock[];
}

/**
 * A certificate's content in reading order, without layout. Contains the seven sections of CPSC's form and the
 * attestation.
 */
export interface DocumentContent {
  id: string;
  title: string;
  subtitle: string;
  /** The product's name and the certificate's number or ID, as printed at the top of every page after the first. */
  product: string;
  reference: string;
  logo: (StoredLogo & { alt: string }) | null;
  header: PdfField[];
  /** The status, in capitals, of a certificate that isn't complete, and the notice that explains the status. */
  notice: { status: string; text: string } | null;
  sections: PdfSection[];
  /** The attestation, or null on a sheet that isn't a certificate. */
  attestation: PdfSection | null;
}

/** Joins values into a string and preserves each value's text direction. */
export const joined = (values: readonly (string | null | undefined)[], between: string) =>
  values.flatMap(value => (value ? [isolate(value)] : [])).join(between);

/** Returns a field, or nothing if the value is missing. */
export const optional = (label: string, value: string | undefined, half = true): PdfField[] =>
  value === undefined ? [] : [{ label, value, half }];
