/** Fields whose cells contain several values, separated by semicolons. */
const LISTS = /(^|\.)(cpsc_rules_cited|report_ids|citation_codes|types|sleepwear_sizes|sections|rules)$/;

/** Fields that contain numbers, and fields that contain Booleans. */
const NUMBERS = /\.(from_months|to_months|lab_index|rule_index|year)$/;
const BOOLEANS = /\.(surface_coating|identical|sold_with_other_audience|\w+_is_new)$/;

type Json = { [field: string]: unknown };

/**
 * Returns the request for a row: the template with values from the row's cells. Columns are named after fields, such as
 * `product_info.name` or `tests.0.rule`. Empty cells leave the template's values unchanged.
 *
 * @example requestOfCells({ manufacturer }, ['product_info.name', 'cpsc_rules_cited'], ['Helmet', '16 CFR 1203'])
 */
export function requestOfCells(template: unknown, columns: readonly string[], cells: readonly string[]): unknown {
  const request = structuredClone(template) as Json;
  for (const [at, column] of columns.entries()) {
    const cell = cells[at]?.trim() ?? '';
    if (cell !== '' && column !== KEY_COLUMN) setField(request, column.split('.'), cellValue(column, cell));
  }
  return request;
}

/** Name of a column that identifies the row and isn't part of the request. */
export const KEY_COLUMN = 'key';

function cellValue(column: string, cell: string): unknown {
  if (LISTS.test(column))
    return cell
      .split(';')
      .map(each => each.trim())
      .filter(Boolean);
  // Leave an invalid number or Boolean as text, so that validation reports the field.
  if (NUMBERS.test(column) && /^\d{1,6}$/.test(cell)) return Number(cell);
  if (BOOLEANS.test(column) && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}

function setField(target: Json, [field = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    define(target, field, value);
    return;
  }
  const inner = Object.hasOwn(target, field) ? target[field] : undefined;
  const next = typeof inner === 'object' && inner !== null ? inner : /^\d{1,3}$/.test(rest[0]!) ? [] : {};
  define(target, field, next);
  setField(next as Json, rest, value);
}

/** Sets an own property, even if the name is `__proto__`. */
function define(target: Json, field: string, value: unknown): void {
  Object.defineProperty(target, field, { value, writable: true, enumerable: true, configurable: true });
}
