import { hasDelegateAccess, type KeyRecord } from '@compliance/store';

/** Formats a newly issued key. No other output shows the full key. */
export function issuedKeyText(key: string, record: KeyRecord): string {
  return `${key}\n\nThis key is shown only once. Store it safely. ID ${record.id}, ${scopeAndNote(record)}.`;
}

/** Formats the scope and note of a key: `scope tariff, note "Acme"` */
export function scopeAndNote({ scope, note }: KeyRecord): string {
  return `scope ${scope}, ${note === '' ? 'no note' : `note ${JSON.stringify(note)}`}`;
}

/**
 * Writes a warning to standard error if the key has no beta access, because the API rejects such a key with 403. The
 * warning includes the command that grants beta access.
 */
export function warnWithoutBetaAccess({ id, note }: KeyRecord): void {
  if (hasDelegateAccess(note)) return;
  const granted = note === '' ? 'delegate:on' : `${note}; delegate:on`;
  process.stderr.write(
    `\nWarning: This key doesn't have beta access, so the API responds with 403 \`beta\`. To grant access, run:\n  compliance keys update ${id} --note ${shellQuote(granted)}\n`,
  );
}

function shellQuote(text: string): string {
  return /^[\w:.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
