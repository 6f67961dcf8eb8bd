import { GraphQLError, type GraphQLResolveInfo, getNamedType } from 'graphql';

/**
 * Scopes that open a type: one of each list is enough. From the access data that Shopify publishes with its schema
 * (`offline_scopes` in @shopify/dev-mcp 1.16.0, 2026-10).
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

/** Scopes of single fields, as above. That of `metafieldsSet` hangs on the owner: it is checked where it runs. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'QueryRoot.productsCount': ['read_products'],
  'QueryRoot.productVariantsCount': ['read_products'],
  'Mutation.inventoryItemUpdate': ['write_inventory'],
  'Mutation.fileCreate': ['write_files', 'write_themes', 'write_images'],
  'Mutation.fileDelete': ['write_files'],
  'Mutation.metafieldsSet': ['write_products'],
  'Mutation.metafieldDefinitionCreate': ['write_products'],
};

/** The lists of scopes that a field needs one each of. */
export function scopesOfField(parent: string, field: string, returned: string): (readonly string[])[] {
  const named = returned.replace(/(Connection|Edge)$/, '');
  return [FIELDS[`${parent}.${field}`], TYPES[named], TYPES[parent]].flatMap(scopes => (scopes ? [scopes] : []));
}

/** Whether one of these scopes was granted. A scope to write is one to read. */
const grants = (granted: ReadonlySet<string>, scopes: readonly string[]): boolean =>
  scopes.some(scope => granted.has(scope) || granted.has(scope.replace(/^read_/, 'write_')));

/** What Shopify says where a scope is missing: an error at the field, whose place in the answer is null. */
function denied(field: string, scopes: readonly string[]): GraphQLError {
  const access = scopes.map(scope => `\`${scope}\` access scope`).join(' or ');
  return new GraphQLError(`Access denied for ${field} field. Required access: ${access}.`, {
    extensions: { code: 'ACCESS_DENIED', requiredAccess: `${access}.` },
  });
}

/** @throws GraphQLError ACCESS_DENIED when the granted scopes do not open the field */
export function checkAccess(granted: ReadonlySet<string>, info: GraphQLResolveInfo): void {
  const lists = scopesOfField(info.parentType.name, info.fieldName, getNamedType(info.returnType).name);
  const missing = lists.find(scopes => !grants(granted, scopes));
  if (missing) throw denied(info.fieldName, missing);
}
