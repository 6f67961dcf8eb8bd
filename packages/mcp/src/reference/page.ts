import type { Dataset } from '@compliance/core/tariff';

/** A page that explains a rule, a list, or an error code. */
export interface ReferencePage {
  readonly kind: 'pixel_rule' | 'certificate_rule' | 'tariff_list' | 'error_code';
  readonly id: string;
  readonly title: string;
  /** URI of the resource with the same text. */
  readonly uri: string;
  readonly markdown: string;
  /** Date through which the page is current, in YYYY-MM-DD format. */
  readonly known_through: string;
  /** URLs and citations of the sources. A page about this project's own definitions lists its own URI as the source. */
  readonly sources: readonly string[];
}

/** The data set and the date that pages describe. */
export interface ReferenceContext {
  readonly dataset: Dataset;
  /** Date in YYYY-MM-DD format. */
  readonly today: string;
}

/** All pages of one kind, plus an index page. */
export interface ReferenceSection {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** URI of the index page. */
  readonly uri: string;
  readonly index: (context: ReferenceContext) => string;
  readonly ids: (context: ReferenceContext) => Iterable<string>;
  readonly page: (id: string, context: ReferenceContext) => ReferencePage | undefined;
}

/** Joins the parts of a Markdown page, omitting empty parts. */
export function markdown(...parts: (string | false | null | undefined)[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Formats items as a Markdown list. */
export function bullets(items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n');
}
