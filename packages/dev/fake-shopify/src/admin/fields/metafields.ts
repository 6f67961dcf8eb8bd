import { createHash } from 'node:crypto';
import { type FakeShop, gid } from '../../shop/shop.ts';
import { API_KEY } from '../tokens.ts';
import { plannedErrors, type ResolverContext, type UserError } from './resolver-context.ts';

/** Maximum number of metafields per call. */
const MOST = 25;

interface MetafieldInput {
  readonly ownerId: string;
  readonly namespace?: string;
  readonly key: string;
  readonly type?: string;
  readonly value: string;
  /** Expected digest of the current value, or null if the metafield must not exist yet. */
  readonly compareDigest?: string | null;
}

/** Resolves the metafields that apps store on products. */
export function metafieldFields(context: ResolverContext) {
  const { shop } = context;
  return {
    metafieldsSet: ({ metafields }: { metafields: readonly MetafieldInput[] }) => {
      const userErrors = [...plannedErrors(context), ...errorsOf(shop, metafields)];
      // Validate all metafields before setting any of them.
      if (userErrors.length > 0) return { metafields: null, userErrors };
      const set = metafields.map(({ ownerId, namespace, key, type, value }) => {
        const space = namespaceOf(namespace);
        const at = `${ownerId} ${space}.${key}`;
        const before = shop.metafields.get(at);
        const id = before?.id ?? gid('Metafield', shop.number + shop.metafields.size);
        shop.metafields.set(at, { id, type: type ?? before?.type ?? 'single_line_text_field', value });
        return metafieldNode(shop, ownerId, space, key);
      });
      return { metafields: set, userErrors };
    },
    metafieldsDelete: ({
      metafields,
    }: {
      metafields: readonly Required<Pick<MetafieldInput, 'ownerId' | 'namespace' | 'key'>>[];
    }) => {
      const userErrors = plannedErrors(context);
      if (userErrors.length > 0) return { deletedMetafields: null, userErrors };
      // Deleting a metafield that doesn't exist succeeds.
      const deletedMetafields = metafields.map(({ ownerId, namespace, key }) =>
        shop.metafields.delete(`${ownerId} ${namespaceOf(namespace)}.${key}`) ? { ownerId, namespace, key } : null,
      );
      return { deletedMetafields, userErrors };
    },
    metafieldDefinitionCreate: ({ definition }: { definition: { name: string } }) => {
      const userErrors = plannedErrors(context);
      const createdDefinition =
        userErrors.length > 0 ? null : { id: gid('MetafieldDefinition', shop.number), name: definition.name };
      return { createdDefinition, userErrors };
    },
  };
}

/** Returns the full name of a metafield namespace. A name that starts with `$app` refers to the app's own namespace. */
export function namespaceOf(namespace = '$app'): string {
  const [, name] = /^\$app(?::(.*))?$/.exec(namespace) ?? [];
  return namespace.startsWith('$app') ? `app--${API_KEY}${name ? `--${name}` : ''}` : namespace;
}

export function metafieldNode(shop: FakeShop, owner: string, namespace: string, key: string) {
  const found = shop.metafields.get(`${owner} ${namespace}.${key}`);
  return found ? { __typename: 'Metafield', ...found, namespace, key, compareDigest: digestOf(found.value) } : null;
}

const digestOf = (value: string): string => createHash('sha256').update(value).digest('hex');

function errorsOf(shop: FakeShop, metafields: readonly MetafieldInput[]): UserError[] {
  if (metafields.length > MOST) {
    return [
      {
        field: ['metafields'],
        message: `Exceeded the maximum metafields input limit of ${MOST}.`,
        code: 'LESS_THAN_OR_EQUAL_TO',
      },
    ];
  }
  return metafields.flatMap((input, elementIndex) => {
    const at = (field: string) => ['metafields', String(elementIndex), field];
    const owned = shop.products.some(({ id }) => id === input.ownerId) || input.ownerId === gid('Shop', shop.number);
    if (!owned) return [{ field: at('ownerId'), message: 'Owner does not exist.', code: 'INVALID', elementIndex }];
    if (input.value === '') return [{ field: at('value'), message: 'may not be empty', code: 'BLANK', elementIndex }];
    if (input.compareDigest === undefined) return [];
    const before = shop.metafields.get(`${input.ownerId} ${namespaceOf(input.namespace)}.${input.key}`);
    if ((before ? digestOf(before.value) : null) === input.compareDigest) return [];
    const message = 'The resource has been updated since it was loaded.';
    return [{ field: at('compareDigest'), message, code: 'STALE_OBJECT', elementIndex }];
  });
}
