import {
  isCalendarDate,
  type Lookup,
  type LookupOptions,
  type LookupResult,
  parseOrigin,
  prepareLookup,
} from '@compliance/core/tariff';
import type { CodeRow, CodeTable } from '../input/codes.ts';

/** Maximum number of prepared lookups to cache. Each prepared lookup caches the results for one date and origin. */
const MAX_PREPARED = 12;

/** A date, an origin, and the lookup prepared for them. */
export interface Shipment {
  readonly asOf: string;
  readonly origin: string | null;
  readonly lookUp: (codes: readonly string[]) => Lookup;
}

/** A row and its lookup result. */
export interface RowResult extends CodeRow {
  readonly shipment: Shipment;
  readonly result: LookupResult;
}

/** Looks up the codes in rows. Values in a row's date and origin columns take precedence over the defaults. */
export interface RowLookup {
  (rows: readonly CodeRow[]): RowResult[];
  /** Date and origin for rows that don't specify them. */
  readonly defaults: Shipment;
}

/**
 * Returns a function that looks up rows. The function prepares one lookup for each combination of date and origin and
 * caches the most recently used lookups.
 *
 * @param defaults defaults for rows that don't specify a date or origin
 * @throws `LookupOptionError` if one of the default options is invalid. A row with an invalid date or origin gets the
 * status `invalid` instead of causing an error.
 */
export function createRowLookup({ header, columns }: CodeTable, defaults: LookupOptions): RowLookup {
  const prepared = new Map<string, Shipment>();
  const shipmentOf = (asOf: string, origin: string | undefined): Shipment => {
    const key = `${asOf} ${origin ?? ''}`;
    const known = prepared.get(key);
    const { origin: _, ...options } = defaults;
    const shipment: Shipment = known ?? {
      asOf,
      origin: origin === undefined ? null : parseOrigin(origin),
      lookUp: prepareLookup({ ...options, asOf, ...(origin !== undefined && { origin }) }),
    };
    prepared.delete(key);
    prepared.set(key, shipment);
    if (prepared.size > MAX_PREPARED) prepared.delete(prepared.keys().next().value!);
    return shipment;
  };
  const own = shipmentOf(defaults.asOf, defaults.origin);

  const lookUpRows = (rows: readonly CodeRow[]): RowResult[] => {
    const found = new Array<RowResult>(rows.length);
    const groups = new Map<Shipment, { index: number; code: string }[]>();
    rows.forEach((row, index) => {
      const cell = (column: number) => (column < 0 ? '' : (row.cells[column] ?? '').trim());
      const [date, origin] = [cell(columns.date), cell(columns.origin)];
      const code = row.cells[columns.code] ?? '';
      const country = origin === '' ? undefined : parseOrigin(origin);
      const error = rowError(row.cells, header.length, date, country);
      if (error !== null) {
        const [invalid] = own.lookUp(['']).results;
        found[index] = { ...row, shipment: own, result: { ...invalid!, code, message: error } };
        return;
      }
      const hasOwn = date !== '' || origin !== '';
      const shipment = hasOwn ? shipmentOf(date || defaults.asOf, country ?? defaults.origin) : own;
      const group = groups.get(shipment);
      if (group) group.push({ index, code });
      else groups.set(shipment, [{ index, code }]);
    });
    for (const [shipment, group] of groups) {
      const { results } = shipment.lookUp(group.map(({ code }) => code));
      group.forEach(({ index }, at) => {
        const { row, cells } = rows[index]!;
        found[index] = { row, cells, shipment, result: results[at]! };
      });
    }
    return found;
  };
  return Object.assign(lookUpRows, { defaults: own });
}

/**
 * Returns the reason why a row can't be looked up, or null if it can.
 *
 * @param origin the row's country of origin: undefined if the cell is empty, or null if the country is invalid
 */
function rowError(
  cells: readonly string[],
  width: number,
  date: string,
  origin: string | null | undefined,
): string | null {
  if (cells.length > width && cells.slice(width).some(cell => cell !== '')) {
    return `Not looked up: the row has ${cells.length} cells, but the header has ${width}. Quote cells that contain the delimiter.`;
  }
  if (date !== '' && !isCalendarDate(date)) return 'Not looked up: the date must be in YYYY-MM-DD format.';
  if (origin === null) return 'Not looked up: the origin must be an ISO 3166-1 alpha-2 country code, such as DE.';
  return null;
}
