import { GraphQLError, type GraphQLResolveInfo, getNamedType } from 'graphql';

/**
 * Scopes that grant access to a type. A single scope from a type's list is sufficient. Source: the access data that
 * Shopify publishes with its schema (`offline_scopes` in @shopify/dev-mcp 1.16.0, 2026-10).
 */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  OnlineStoreTheme: ['read_themes'],
  OnlineStoreThemeFile: ['read_themes'],
  Product: ['read_products'],
  ProductVariant: ['read_products'],
  InventoryItem: ['read_products', 'read_inventory'],
  ScriptTag: ['read_script_tags'],
  ShopLocale: ['read_locales'],
  WebPixel: ['read_pixels'],
  GenericFile: ['read_products', 'read_files', 'read_themes'],
};

/**
 * Scopes that grant access to a single field, in the same format as the scopes for types. The scopes for
 * `metafieldsSet` and `metafieldsDelete` depend on the metafield's owner, which is always a product in this app.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'QueryRoot.productsCount': ['read_products'],
  'QueryRoot.productVariantsCount': ['read_products'],
  'Mutation.inventoryItemUpdate': ['write_inventory'],
  'Mutation.fileCreate': ['write_files', 'write_themes', 'write_images'],
  'Mutation.fileDelete': ['write_files'],
  'Mutation.metafieldsDelete': ['write_products'],
  'Mutation.metafieldsSet': ['write_products'],
  'Mutation.metafieldDefinitionCreate': ['write_products'],
};

/** Returns the scope lists for a field. Access requires one scope from each list. */
export function scopesOfField(parent: string, field: string, returned: string): (readonly string[])[] {
  const named = returned.replace(/(Connection|Edge)$/, '');
  return [FIELDS[`${parent}.${field}`], TYPES[named], TYPES[parent]].flatMap(scopes => (scopes ? [scopes] : []));
}

/** Returns whether at least one of the given scopes was granted. A write scope includes the read scope. */
const grants = (granted: ReadonlySet<string>, scopes: readonly string[]): boolean =>
  scopes.some(scope => granted.has(scope) || granted.has(scope.replace(/^read_/, 'write_')));

/** Returns Shopify's error for a missing scope. The response includes this error, and the field's value is null. */
function denied(field: string, scopes: readonly string[]): GraphQLError {
  const access = scopes.map(scope => `\`${scope}\` access scope`).join(' or ');
  return new GraphQLError(`Access denied for ${field} field. Required access: ${access}.`, {
    extensions: { code: 'ACCESS_DENIED', requiredAccess: `${access}.` },
  });
}

/**
 * Checks that the granted scopes allow access to a field.
 *
 * @throws GraphQLError ACCESS_DENIED if a required scope is missing
 */
export function checkAccess(granted: ReadonlySet<string>, info: GraphQLResolveInfo): void {
  const lists = scopesOfField(info.parentType.name, info.fieldName, getNamedType(info.returnType).name);
  const missing = lists.find(scopes => !grants(granted, scopes));
  if (missing) throw denied(info.fieldName, missing);
}
