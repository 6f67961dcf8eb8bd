/** Quotes text for bash and zsh. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the first sentence of a description, on one line. */
export function summary(description: string): string {
  return description.replace(/\s+/g, ' ').replace(/(?<=\.) .*$/, '');
}
