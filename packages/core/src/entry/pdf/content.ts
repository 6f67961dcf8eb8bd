import type { StoredLogo } from '../request/logo.ts';
import { isolate } from '../text/bidi.ts';
import type { Message, MessageText, SecondLanguage } from '../translations/messages.ts';

/**
 * A label and its value, which is text from the request or a message. If the value is null, "Not provided" is printed
 * instead.
 */
export interface PdfField {
  label: MessageText | Message;
  value: string | Message | null;
  /** Whether the field is half as wide as the page. Half-width fields are laid out in pairs. */
  half?: boolean;
}

/** A table column. `share` is its width relative to the other columns. */
export interface TableColumn {
  title: MessageText;
  share: number;
}

/** A content block in a section: labeled values, a table, a paragraph, or labeled signature and date lines. */
export type ContentBlock =
  | { kind: 'fields'; fields: PdfField[] }
  | { kind: 'table'; columns: TableColumn[]; rows: (string | Message)[][] }
  | { kind: 'paragraph'; text: string | Message }
  | { kind: 'signature'; fields: [PdfField, PdfField] };

/** A numbered heading and its content. */
export interface PdfSection {
  heading: MessageText;
  blocks: ContentBlock[];
}

/**
 * A certificate's content in reading order, without layout. Contains the seven sections of CPSC's form and the
 * attestation.
 */
export interface DocumentContent {
  id: string;
  /** The language of the translation that follows each English message, or null for an English document. */
  language: SecondLanguage | null;
  title: MessageText;
  subtitle: string;
  /** The product's name and the certificate's number or ID, as printed at the top of every page after the first. */
  product: string;
  reference: string;
  logo: (StoredLogo & { alt: string }) | null;
  header: PdfField[];
  /** The status in uppercase and the notice that explains the status, or null if no notice is needed. */
  notice: { status: string; text: string } | null;
  sections: PdfSection[];
  /** The attestation, or null on a sheet that isn't a certificate. */
  attestation: PdfSection | null;
}

/** Joins values into a string and preserves each value's text direction. */
export const joined = (values: readonly (string | null | undefined)[], between: string) =>
  values.flatMap(value => (value ? [isolate(value)] : [])).join(between);

/** Returns a field that's printed even if its value is missing. */
export const required = (label: MessageText, value: string | Message | null, half = false): PdfField => ({
  ...{ label, value, half },
});

/** Returns a field, or no fields if the value is missing. */
export const optional = (label: MessageText, value: string | Message | undefined, half = true): PdfField[] =>
  value === undefined ? [] : [required(label, value, half)];
