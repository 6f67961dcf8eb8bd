/** Markup that is safe to insert into a page. */
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

/** Renders a template as markup. Escapes every inserted value except markup that `html` itself rendered. */
export function html(literal: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: literal.reduce((text, next, index) => text + render(parts[index - 1] ?? '') + next) };
}

function render(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(render).join('');
  return String(part).replace(/[&<>"']/g, character => ENTITIES[character]!);
}
