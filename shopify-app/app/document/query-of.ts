/** The query of an address that asks for this; what is empty is left out. */
export function queryOf(asked: object): string {
  const fields = Object.entries(asked).filter((field): field is [string, string] => Boolean(field[1]));
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields)}`;
}
