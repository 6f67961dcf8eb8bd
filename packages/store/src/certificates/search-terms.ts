import { type CertificateStatus, hasEnded } from '@compliance/core/entry/status';
import { type RawBuilder, sql } from 'kysely';

/** Minimum length of an ID or hash prefix. Shorter prefixes match too many certificates. */
const MIN_PREFIX = 6;

/** Normalizes names and search text: applies Unicode normalization (NFKC) and converts letters to lowercase. */
export function searchable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').normalize('NFKC').toLowerCase();
}

/**
 * Returns one condition for each word in the search text. A word matches if it occurs in a name, or if it has at least
 * six characters and the ID or SHA-256 hash starts with it. The query that uses these conditions must join
 * `certificate_words`.
 */
export function conditionsOf(text: string): RawBuilder<boolean>[] {
  return searchable(text)
    .split(/\s+/)
    .filter(Boolean)
    .map(word => {
      const pattern = word.replace(/[!%_]/g, '!$&');
      const named = sql<boolean>`certificate_words.words like ${`%${pattern}%`} escape '!'`;
      if (word.length < MIN_PREFIX) return named;
      const beginning = `${pattern}%`;
      return sql<boolean>`(${named} or lower(certificates.id) like ${beginning} escape '!' or certificates.sha256 like ${beginning} escape '!')`;
    });
}

/**
 * Returns the conditions that select certificates with a given status. The query that uses these conditions must join
 * `certificate_words`, and must join each certificate's successor with the alias `successor`.
 */
export function conditionsOfStatus(status: CertificateStatus | undefined): RawBuilder<boolean>[] {
  if (status === undefined) return [];
  if (status === 'voided') return [sql<boolean>`certificates.voided_at is not null`];
  const kept = sql<boolean>`certificates.voided_at is null`;
  if (hasEnded(status)) return [kept, sql<boolean>`successor.id is not null`];
  return [kept, sql<boolean>`successor.id is null`, sql<boolean>`certificate_words.initial_status = ${status}`];
}
