/**
 * Passes a file to the browser as a download.
 *
 * @example saveFile(new Blob([csv], { type: 'text/csv' }), 'registry.csv')
 */
export function saveFile(content: Blob, name: string): void {
  const objectUrl = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: objectUrl, download: name }).click();
  URL.revokeObjectURL(objectUrl);
}
