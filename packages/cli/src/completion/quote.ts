/** Quotes text for a shell. bash, zsh, and fish all read this form. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the first sentence of a description, on one line. */
export function summary(description: string): string {
  return description.replace(/\s+/g, ' ').replace(/(?<=\.) .*$/, '');
}
