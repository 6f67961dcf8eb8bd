import { type PublishedRecord, readRecord } from '@compliance/core/entry';
import type { Certificate } from '@compliance/store';

/** Parses a stored certificate's record. */
export function recordOf({ record }: Certificate): PublishedRecord {
  return readRecord(record);
}

/** Returns a certificate for JSON output, with its record as an object instead of a string. */
export function withRecord(certificate: Certificate): object {
  return { ...certificate, record: recordOf(certificate) };
}
