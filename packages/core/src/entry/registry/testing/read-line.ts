/**
 * Parses one line of an RFC 4180 CSV file. The parser is based on the RFC and is independent of the code that writes
 * the CSV.
 */
export function readLine(line: string): string[] {
  const fields: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/gy;
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') break;
  }
  return fields;
}
