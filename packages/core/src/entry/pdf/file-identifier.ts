import { PDFArray, type PDFContext, PDFHexString } from 'pdf-lib';

/**
 * Sets the second file identifier, which distinguishes an incremental update from the file as issued. The first
 * identifier is the certificate ID.
 *
 * @param version 32 hex digits.
 */
export function setFileVersion(context: PDFContext, version: string): void {
  const identifiers = context.lookup(context.trailerInfo.ID, PDFArray);
  context.trailerInfo.ID = context.obj([identifiers.get(0), PDFHexString.of(version.toLowerCase())]);
}

/** Returns a time as 32 hex digits. */
export function versionOfTime(time: string): string {
  return Date.parse(time).toString(16).padStart(32, '0');
}
