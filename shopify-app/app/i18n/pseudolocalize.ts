/** Messages by key, nested in groups. */
export type Messages = { readonly [key: string]: string | Messages };

/**
 * Makes each message at least 40% longer and encloses it in brackets so that truncation is noticeable. Placeholders
 * don't change.
 */
export function pseudolocalize(messages: Messages): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? lengthen(value) : pseudolocalize(value),
    ]),
  );
}

const lengthen = (text: string): string => {
  const letters = text.replace(/\{\{.*?\}\}|<.*?>/g, '').length;
  return `[${text}${' lorem'.repeat(Math.ceil((letters * 0.4) / 6))}]`;
};
