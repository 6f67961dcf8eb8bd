import { ATTACH_COLUMN, KEY_COLUMN } from './columns.ts';

/** Fields whose cells contain several values, separated by semicolons. */
const LISTS = /(^|\.)(cpsc_rules_cited|report_ids|citation_codes|types|sleepwear_sizes|sections|rules)$/;

/** Fields that contain numbers or Booleans. */
const NUMBERS = /\.(from_months|to_months|lab_index|rule_index|year)$/;
const BOOLEANS = /\.(surface_coating|identical|sold_with_other_audience|\w+_is_new)$/;

type Json = { [field: string]: unknown };

/** Maximum number of names in a path. A longer path isn't split, so validation reports it as an unknown field. */
const MAX_DEPTH = 10;

/**
 * Returns the request for a row: the template with values from the row's cells. Column names are field paths, such as
 * `product_info.name` or `tests.0.rule`. Empty cells leave the template's values unchanged.
 *
 * @example requestOfCells({ manufacturer }, ['product_info.name', 'cpsc_rules_cited'], ['Helmet', '16 CFR 1203'])
 */
export function requestOfCells(template: unknown, columns: readonly string[], cells: readonly string[]): unknown {
  const request = JSON.parse(JSON.stringify(template)) as Json;
  for (const [at, column] of columns.entries()) {
    const cell = cells[at]?.trim() ?? '';
    if (cell !== '' && column !== KEY_COLUMN && column !== ATTACH_COLUMN)
      setField(request, pathOf(column), cellValue(column, cell));
  }
  return request;
}

/**
 * Returns the request for a row with fields: a copy of the template, updated with the row's fields. Objects are merged,
 * lists are replaced, and null leaves the template's value unchanged. A field name can also be a path, such as
 * `product_info.name`. The value of a field with a path as its name is converted the same way as a CSV cell.
 *
 * @example requestOfFields({ manufacturer }, { product_info: { name: 'Helmet' }, cpsc_rules_cited: ['16 CFR 1203'] })
 * @example requestOfFields({ manufacturer }, { 'product_info.name': 'Helmet', cpsc_rules_cited: '16 CFR 1203; 16 CFR 1303' })
 */
export function requestOfFields(template: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  const request = JSON.parse(JSON.stringify(template)) as Json;
  for (const [name, value] of Object.entries(fields)) {
    if (name === KEY_COLUMN || value === null) continue;
    if (typeof value === 'object') mergeFields(request, pathOf(name), value);
    else {
      const cell = `${value}`.trim();
      const isCell = name.includes('.') || LISTS.test(name);
      if (!isCell) define(request, name, value);
      else if (cell !== '') setField(request, pathOf(name), cellValue(name, cell));
    }
  }
  return request;
}

function mergeFields(target: Json, path: readonly string[], value: unknown): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || path.length >= MAX_DEPTH) {
    if (value !== null) setField(target, path, value);
    return;
  }
  // An empty object still replaces a missing value, so that validation reports the object's missing fields.
  if (Object.keys(value).length === 0) setField(target, path, value);
  for (const [field, inner] of Object.entries(value)) mergeFields(target, [...path, field], inner);
}

function pathOf(name: string): readonly string[] {
  const path = name.split('.');
  return path.length > MAX_DEPTH ? [name] : path;
}

/** Returns the values in a cell that contains several values, separated by semicolons. */
export const valuesInCell = (cell: string): string[] =>
  cell
    .split(';')
    .map(each => each.trim())
    .filter(Boolean);

function cellValue(column: string, cell: string): unknown {
  if (LISTS.test(column)) return valuesInCell(cell);
  // Leave an invalid number or Boolean as text so that validation reports the field.
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
