/** Job file formats, by filename extension. */
const FORMATS = { csv: 'csv', parquet: 'parquet', ndjson: 'ndjson', jsonl: 'ndjson' } as const;

/**
 * Returns the format of a file, or undefined if the filename or URL has no known extension.
 *
 * @example jobFormatOf('s3://imports/codes.parquet') // 'parquet'
 * @example jobFormatOf('https://files.example/codes.CSV?signature=a1') // 'csv'
 */
export function jobFormatOf(file: string): 'csv' | 'parquet' | 'ndjson' | undefined {
  const [, extension = ''] = /\.(\w+)$/.exec(file.replace(/^(https:[^?#]*).*$/i, '$1')) ?? [];
  return Object.entries(FORMATS).find(([name]) => name === extension.toLowerCase())?.[1];
}
