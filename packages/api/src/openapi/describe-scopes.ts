import { type KeyScope, scopesIncluding } from '@compliance/store';

/**
 * Lists the key scopes that allow an operation, as Markdown.
 *
 * @param required scope that the operation requires
 * @example describeScopes('pixel') // '`pixel`, `render`, or `all` scope'
 */
export function describeScopes(required: KeyScope): string {
  const names = scopesIncluding(required).map(scope => `\`${scope}\``);
  return `${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)} scope`;
}
