import { basisOf } from '../alternatives.ts';
import type { Dataset, DateBasis } from '../dataset.ts';
import { indexOf } from '../dataset-index.ts';

/** Type of a table column. Dates are in YYYY-MM-DD format. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date';

/**
 * A table of facts from a data set. Each row has one value per column. Spaces separate multiple IDs or codes in a
 * field.
 */
export interface DatasetTable {
  readonly name: 'listings' | 'headings' | 'sources';
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/**
 * Columns that the `listings` and `headings` tables share. In each table, these columns follow the columns that
 * identify a row.
 */
const DUTY_COLUMNS = {
  rate_pct: 'number',
  rate_type: 'text',
  value_basis: 'text',
  effective_from: 'date',
  effective_to: 'date',
  dated_by: 'text',
  date_is_legal: 'boolean',
  conditions: 'text',
  caveats: 'text',
  citation: 'text',
  sources: 'text',
} as const;

const LISTING_COLUMNS = {
  hts: 'text',
  list: 'text',
  title: 'text',
  program: 'text',
  role: 'text',
  annex: 'text',
  note: 'text',
  headings: 'text',
  ...DUTY_COLUMNS,
} as const;

const HEADING_COLUMNS = {
  precedence: 'number',
  headings: 'text',
  lists: 'text',
  unless_listed: 'text',
  origins: 'text',
  except_origins: 'text',
  chapters: 'text',
  codes: 'text',
  program: 'text',
  exempt: 'boolean',
  ...DUTY_COLUMNS,
} as const;

const SOURCE_COLUMNS = { id: 'text', title: 'text', address: 'text', reading: 'text', note: 'text' } as const;

/**
 * Returns a data set as tables for spreadsheets and databases. `listings` has one row per provision and duty period,
 * `headings` has one row per alternative heading, and `sources` has one row per source document.
 *
 * @throws TypeError if the data set is neither the bundled data set nor a data set from `loadDataset`
 * @example datasetTables(DATASET).map(({ name }) => name) // ['listings', 'headings', 'sources']
 */
export function datasetTables(dataset: Dataset): DatasetTable[] {
  return [
    table('listings', LISTING_COLUMNS, listings(dataset)),
    table('headings', HEADING_COLUMNS, headings(dataset)),
    table(
      'sources',
      SOURCE_COLUMNS,
      Object.entries(dataset.sources).map(([id, { title, address, reading, note = null }]) => ({
        ...{ id, title, address, reading, note },
      })),
    ),
  ];
}

type Row<Columns> = Record<keyof Columns, string | number | boolean | null>;

function table<Columns extends Record<string, ColumnType>>(
  name: DatasetTable['name'],
  columns: Columns,
  rows: readonly Row<Columns>[],
): DatasetTable {
  const names = Object.keys(columns);
  return {
    name,
    columns: names.map(column => ({ name: column, type: columns[column]! })),
    rows: rows.map(row => names.map(column => row[column]!)),
  };
}

function listings(dataset: Dataset): Row<typeof LISTING_COLUMNS>[] {
  return indexOf(dataset).provisions.flatMap(provision => {
    const { list, batch, hts, prefix, conditions, caveats } = provision;
    const inForce = provision.listings.filter(
      ({ effective_from, effective_to }) => effective_to === null || effective_to >= effective_from,
    );
    return inForce.map(listing => ({
      hts,
      list: list.id,
      title: list.title,
      program: list.program,
      role: list.role,
      annex: listing.term.annex,
      note: listing.term.note ?? list.note,
      headings: joined(listing.term.headings),
      rate_pct: listing.term.rate_pct,
      rate_type: listing.term.rate_type,
      value_basis: basisOf(listing.term, prefix.slice(0, 2)),
      effective_from: listing.effective_from,
      effective_to: listing.effective_to,
      ...dateColumns(listing.dated_by),
      conditions: joined([...conditions, ...(listing.term.conditions ?? [])]),
      caveats: joined([...caveats, ...(batch.caveats ?? []), ...(listing.term.caveats ?? [])]),
      citation: listing.citation,
      sources: joined(listing.sources),
    }));
  });
}

function headings({ headings }: Dataset): Row<typeof HEADING_COLUMNS>[] {
  return headings.map((heading, index) => ({
    precedence: index + 1,
    headings: joined(heading.headings),
    lists: joined(heading.lists),
    unless_listed: joined(heading.unless_listed),
    origins: joined(heading.origins),
    except_origins: joined(heading.except_origins),
    chapters: joined(heading.chapters),
    codes: joined(heading.codes),
    program: heading.program ?? null,
    exempt: heading.exempt ?? false,
    rate_pct: heading.rate_pct,
    rate_type: heading.rate_type,
    value_basis: heading.value_basis ?? null,
    effective_from: heading.effective_from,
    effective_to: heading.effective_to,
    ...dateColumns(heading.dated_by),
    conditions: joined(heading.when),
    caveats: joined(heading.caveats),
    citation: heading.citation,
    sources: joined(heading.sources),
  }));
}

function dateColumns(basis: DateBasis): { dated_by: string; date_is_legal: boolean } {
  return 'legal' in basis
    ? { dated_by: basis.legal, date_is_legal: true }
    : { dated_by: basis.first_printed, date_is_legal: false };
}

/** Joins IDs and codes, which never contain a space, or returns null if there aren't any. */
function joined(values: readonly string[] = []): string | null {
  return values.length === 0 ? null : [...new Set(values)].join(' ');
}
