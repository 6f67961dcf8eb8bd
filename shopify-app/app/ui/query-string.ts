/**
 * Builds a link's query string and omits empty values.
 *
 * @example queryString({ status: 'open', rule: undefined }) // '?status=open'
 */
export function queryString(params: object): string {
  const fields = Object.entries(params).filter((field): field is [string, string] => Boolean(field[1]));
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields)}`;
}
