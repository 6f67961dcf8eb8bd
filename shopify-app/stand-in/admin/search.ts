import { GraphQLError } from 'graphql';
import { numberOf } from '../shop/shop.ts';

/** What a term of a search reads. */
export type Searchable<Item> = Readonly<Record<string, (item: Item) => string | null>>;

/**
 * Shopify's search syntax as far as the stand-in knows it: `name:value` and `name:>value`, all of which must hold. What it
 * does not know it refuses, so that no test believes in a filter that was not applied.
 *
 * @throws GraphQLError
 */
export function search<Item>(items: readonly Item[], query: string | undefined, fields: Searchable<Item>): Item[] {
  const terms = (query ?? '').split(/\s+(?:AND\s+)?/).filter(term => term !== '');
  const tests = terms.map(term => {
    const [, name = '', sign = '', raw = ''] = /^(\w+):(>=|<=|>|<)?["']?([^"']*)["']?$/.exec(term) ?? [];
    const read = fields[name];
    if (!read) throw new GraphQLError(`The stand-in cannot search for ${term}`);
    const wanted = raw.startsWith('gid:') ? numberOf(raw) : raw.toLowerCase();
    return (item: Item) => {
      const value = read(item);
      if (value === null) return false;
      if (sign === '') return value.toLowerCase() === wanted;
      const order = Number(value) - Number(wanted);
      return sign.startsWith('>')
        ? order > 0 || (sign === '>=' && order === 0)
        : order < 0 || (sign === '<=' && order === 0);
    };
  });
  return items.filter(item => tests.every(test => test(item)));
}
