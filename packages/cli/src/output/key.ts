import type { KeyRecord } from '@compliance/store';

/** Formats a newly issued key. No other output shows the full key. */
export function issuedKeyText(key: string, record: KeyRecord): string {
  return `${key}\n\nThis key is shown only once. Store it safely. ID ${record.id}, ${scopeAndNote(record)}.`;
}

/** Formats the scope and note of a key: `scope tariff, note "Acme"` */
export function scopeAndNote({ scope, note }: KeyRecord): string {
  return `scope ${scope}, ${note === '' ? 'no note' : `note ${JSON.stringify(note)}`}`;
}
