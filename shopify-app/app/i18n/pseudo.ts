/** Messages by name, in groups. */
export type Messages = { readonly [key: string]: string | Messages };

/** The same messages, each 40 % longer and in brackets, so that a cut text is seen. Placeholders stay. */
export function pseudo(messages: Messages): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [key, typeof value === 'string' ? longer(value) : pseudo(value)]),
  );
}

const longer = (text: string): string => {
  const letters = text.replace(/\{\{.*?\}\}|<.*?>/g, '').length;
  return `[${text}${' lorem'.repeat(Math.ceil((letters * 0.4) / 6))}]`;
};
