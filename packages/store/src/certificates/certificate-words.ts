import { type RawBuilder, sql } from 'kysely';

/** Fewer characters than these begin too many ids and hashes to find one by. */
const MIN_PREFIX = 6;

/** Names as they are searched: without case, and without the differences of width and composition that Unicode allows. */
export function searchable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').normalize('NFKC').toLowerCase();
}

/**
 * What each word of a text asks of a certificate: to be part of its names, or to begin its id or its SHA-256 with at least
 * six characters. For a statement that joins `certificate_words`.
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
