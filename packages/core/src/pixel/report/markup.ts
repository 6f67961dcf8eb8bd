/** Markup that is safe to put into a page. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Writes markup. Everything put into it is text and is escaped, but for markup written by this same tag. */
export function html(literal: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: literal.reduce((text, next, index) => text + written(parts[index - 1] ?? '') + next) };
}

function written(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(written).join('');
  return String(part).replace(/[&<>"']/g, character => ENTITIES[character]!);
}
