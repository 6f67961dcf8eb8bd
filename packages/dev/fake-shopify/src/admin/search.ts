import { GraphQLError } from 'graphql';
import { numberOf } from '../shop/shop.ts';

/** Functions that return the values of an item's searchable fields. */
export type Searchable<Item> = Readonly<Record<string, (item: Item) => string | null>>;

/**
 * Applies the supported subset of Shopify's search syntax. All terms, such as `name:value` and `name:>value`, must
 * match. Rejects any other syntax, so that tests can't rely on a filter that wasn't applied.
 *
 * @throws GraphQLError
 */
export function searchItems<Item>(items: readonly Item[], query: string | undefined, fields: Searchable<Item>): Item[] {
  const terms = (query ?? '').split(/\s+(?:AND\s+)?/).filter(term => term !== '');
  const tests = terms.map(term => {
    const [, name = '', sign = '', raw = ''] = /^(\w+):(>=|<=|>|<)?["']?([^"']*)["']?$/.exec(term) ?? [];
    const read = fields[name];
    if (!read) throw new GraphQLError(`The fake Shopify doesn’t support the search term ${term}.`);
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
