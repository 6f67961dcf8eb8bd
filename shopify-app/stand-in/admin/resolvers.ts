import { createHash, randomUUID } from 'node:crypto';
import { connection, inventoryNode, metafieldNode, productNode, variantNode } from '../shop/pages.ts';
import { gid, type StandInShop, type StandInTheme } from '../shop/shop.ts';
import type { Bulk } from './bulk.ts';
import type { Faults } from './fault.ts';

/** The host that Shopify's files, uploads and bulk results come from. */
export const STORAGE = 'https://storage.googleapis.com/shopify-stand-in';

/** The scope that a field of the root needs. */
export const SCOPES: Readonly<Record<string, string>> = {
  themes: 'read_themes',
  theme: 'read_themes',
  products: 'read_products',
  product: 'read_products',
  inventoryItem: 'read_products',
  productVariants: 'read_products',
  productsCount: 'read_products',
  productVariantsCount: 'read_products',
  bulkOperationRunQuery: 'read_products',
  scriptTags: 'read_script_tags',
  shopLocales: 'read_locales',
  webPixel: 'read_pixels',
  inventoryItemUpdate: 'write_inventory',
  fileCreate: 'write_files',
  fileDelete: 'write_files',
  node: 'read_files',
  metafieldsSet: 'write_products',
};

const NOW = '2026-11-21T12:00:00Z';
type Paging = { first?: number; after?: string };
type InventoryInput = {
  harmonizedSystemCode?: string | null;
  countryCodeOfOrigin?: string | null;
  countryHarmonizedSystemCodes?: { countryCode: string; harmonizedSystemCode: string }[];
};
type Failed = { field: string[] | null; message: string; code?: string }[];

/** Everything that the schema's root can be asked of one shop. graphql-js calls what is a function. */
export function rootOf(shop: StandInShop, bulks: Map<string, Bulk>, faults: Faults, operation: string) {
  const variants = () =>
    shop.products.flatMap(product => product.variants.map(variant => variantNode(shop, product, variant)));
  const errors = (): Failed => {
    const fault = faults.take(operation, ['userErrors']);
    return fault ? [{ field: null, message: fault.message, code: 'INVALID' }] : [];
  };

  return {
    shop: {
      id: gid('Shop', 1),
      name: shop.name,
      myshopifyDomain: shop.domain,
      url: `https://${shop.host}`,
      email: 'owner@example.com',
      ianaTimezone: shop.zone,
      currencyCode: 'USD',
      billingAddress: { id: gid('ShopAddress', 1), countryCodeV2: 'US' },
      primaryDomain: { id: gid('Domain', 1), host: shop.host, url: `https://${shop.host}`, sslEnabled: true },
      plan: { publicDisplayName: 'Basic', partnerDevelopment: false, shopifyPlus: false },
    },
    currentAppInstallation: {
      id: gid('AppInstallation', 1),
      accessScopes: () => [...shop.scopes].map(handle => ({ handle })),
      activeSubscriptions: [],
    },
    shopLocales: [{ locale: 'en', primary: true, published: true }],
    themes: ({ roles, ...paging }: Paging & { roles?: string[] }) =>
      connection(
        shop.themes
          .filter(({ role }) => !roles || roles.includes(role))
          .map(theme => themeNode(theme, faults, operation)),
        paging,
      ),
    theme: ({ id }: { id: string }) => {
      const theme = shop.themes.find(one => one.id === id);
      return theme ? themeNode(theme, faults, operation) : null;
    },
    scriptTags: (paging: Paging) =>
      connection(
        shop.scriptTags.map(tag => ({ ...tag, displayScope: 'ALL', cache: false, createdAt: NOW })),
        paging,
      ),
    webPixel: null,
    products: (paging: Paging) =>
      connection(
        shop.products.map(product => productNode(shop, product)),
        paging,
      ),
    product: ({ id }: { id: string }) => {
      const product = shop.products.find(one => one.id === id);
      return product ? productNode(shop, product) : null;
    },
    inventoryItem: ({ id }: { id: string }) => {
      for (const product of shop.products) {
        const variant = product.variants.find(one => one.inventoryItemId === id);
        if (!variant) continue;
        const variants = (paging: Paging) => connection([variantNode(shop, product, variant)], paging);
        return { ...inventoryNode(variant), variants };
      }
      return null;
    },
    productVariants: (paging: Paging) => connection(variants(), paging),
    productsCount: () => ({ count: shop.products.length, precision: 'EXACT' }),
    productVariantsCount: () => ({ count: variants().length, precision: 'EXACT' }),
    bulkOperationRunQuery: ({ query }: { query: string }) => {
      const userErrors = errors();
      if (userErrors.length > 0) return { bulkOperation: null, userErrors };
      const failing = faults.take(operation, ['bulkTimeout']);
      const bulk: Bulk = {
        id: gid('BulkOperation', bulks.size + 1),
        query,
        polls: 0,
        failAfter: failing?.afterLines ?? null,
        lines: null,
      };
      bulks.set(bulk.id, bulk);
      return { bulkOperation: bulkNode(bulk), userErrors };
    },
    bulkOperation: ({ id }: { id: string }) => {
      const bulk = bulks.get(id);
      if (bulk) bulk.polls++;
      return bulk ? bulkNode(bulk) : null;
    },
    bulkOperations: (paging: Paging) => connection([...bulks.values()].map(bulkNode), paging),
    inventoryItemUpdate: ({ id, input }: { id: string; input: InventoryInput }) => {
      const variant = shop.products.flatMap(product => product.variants).find(one => one.inventoryItemId === id);
      if (!variant)
        return { inventoryItem: null, userErrors: [{ field: ['id'], message: 'Inventory item does not exist' }] };
      const userErrors = errors();
      const code = input.harmonizedSystemCode;
      if (typeof code === 'string' && !/^\d{6,13}$/.test(code))
        userErrors.push({ field: ['input', 'harmonizedSystemCode'], message: 'Harmonized system code is invalid' });
      if (userErrors.length === 0) {
        if (code !== undefined) variant.harmonizedSystemCode = code;
        if (input.countryHarmonizedSystemCodes) variant.countryCodes = input.countryHarmonizedSystemCodes;
        if (input.countryCodeOfOrigin !== undefined) variant.origin = input.countryCodeOfOrigin;
      }
      return { inventoryItem: inventoryNode(variant), userErrors };
    },
    stagedUploadsCreate: ({ input }: { input: { filename: string }[] }) => ({
      stagedTargets: input.map(({ filename }) => {
        const key = `${randomUUID()}/${filename}`;
        return {
          url: `${STORAGE}/upload`,
          resourceUrl: `${STORAGE}/uploads/${key}`,
          parameters: [{ name: 'key', value: key }],
        };
      }),
      userErrors: errors(),
    }),
    fileCreate: ({ files }: { files: { originalSource: string }[] }) => {
      const userErrors = errors();
      const made = files.flatMap(({ originalSource }) => shop.files.find(({ url }) => url === originalSource) ?? []);
      return { files: userErrors.length > 0 ? [] : made.map(fileNode), userErrors };
    },
    fileDelete: ({ fileIds }: { fileIds: string[] }) => {
      shop.files = shop.files.filter(({ id }) => !fileIds.includes(id));
      return { deletedFileIds: fileIds, userErrors: errors() };
    },
    node: ({ id }: { id: string }) => {
      const file = shop.files.find(one => one.id === id);
      if (file && file.processing > 0) file.processing--;
      return file ? fileNode(file) : null;
    },
    metafieldsSet: ({ metafields }: { metafields: Record<string, string>[] }) => {
      const userErrors = errors();
      const set = metafields.map(({ ownerId, namespace, key, type, value, compareDigest }) => {
        const name = `${ownerId} ${namespace}.${key}`;
        const before = metafieldNode(shop, ownerId!, namespace!, key!);
        if (compareDigest && before?.compareDigest !== compareDigest)
          userErrors.push({ field: ['metafields'], message: 'The value has changed', code: 'INVALID_COMPARE_DIGEST' });
        else shop.metafields.set(name, { id: gid('Metafield', shop.metafields.size + 1), type: type!, value: value! });
        return metafieldNode(shop, ownerId!, namespace!, key!);
      });
      return { metafields: userErrors.length > 0 ? [] : set, userErrors };
    },
  };
}

function themeNode(theme: StandInTheme, faults: Faults, operation: string) {
  const { id, name, role } = theme;
  return {
    ...{ id, name, role },
    processing: false,
    processingFailed: false,
    themeStoreId: 887,
    createdAt: NOW,
    updatedAt: NOW,
    files: ({ filenames, ...paging }: Paging & { filenames?: string[] }) => {
      const failed = faults.take(operation, ['fileErrors'])?.filenames ?? [];
      const bodies = faults.take(operation, ['fileBodies'])?.as ?? 'text';
      const wanted = (file: string) =>
        !failed.includes(file) && (!filenames || filenames.some(pattern => matches(pattern, file)));
      const page = connection([...theme.files].filter(([file]) => wanted(file)).sort(), paging);
      const nodes = page.nodes.map(([filename, content]) => ({
        filename,
        contentType: filename.endsWith('.json') ? 'application/json' : 'application/x-liquid',
        size: Buffer.byteLength(content),
        checksumMd5: createHash('md5').update(content).digest('hex'),
        updatedAt: NOW,
        body: bodyOf(theme, filename, content, bodies),
      }));
      return { nodes, pageInfo: page.pageInfo, userErrors: failed.map(filename => ({ filename, code: 'ERROR' })) };
    },
  };
}

function bodyOf(theme: StandInTheme, filename: string, content: string, as: 'text' | 'base64' | 'url') {
  if (as === 'base64')
    return { __typename: 'OnlineStoreThemeFileBodyBase64', contentBase64: Buffer.from(content).toString('base64') };
  if (as === 'url')
    return {
      __typename: 'OnlineStoreThemeFileBodyUrl',
      url: `${STORAGE}/themes/${theme.id.split('/').at(-1)}/${filename}`,
    };
  return { __typename: 'OnlineStoreThemeFileBodyText', content };
}

const matches = (pattern: string, file: string): boolean =>
  pattern.endsWith('*') ? file.startsWith(pattern.slice(0, -1)) : pattern === file;

function bulkNode(bulk: Bulk) {
  const done = bulk.polls >= 2;
  const failed = done && bulk.failAfter !== null;
  const url = `${STORAGE}/bulk/${bulk.id.split('/').at(-1)}.jsonl`;
  return {
    id: bulk.id,
    type: 'QUERY',
    status: failed ? 'FAILED' : done ? 'COMPLETED' : bulk.polls === 0 ? 'CREATED' : 'RUNNING',
    errorCode: failed ? 'TIMEOUT' : null,
    createdAt: NOW,
    completedAt: done ? NOW : null,
    objectCount: '0',
    rootObjectCount: '0',
    fileSize: null,
    url: done && !failed ? url : null,
    partialDataUrl: failed ? url : null,
  };
}

function fileNode({ id, url, bytes, mimeType, processing }: StandInShop['files'][number]) {
  return {
    __typename: 'GenericFile',
    ...{ id, mimeType },
    url: processing > 0 ? null : url,
    fileStatus: processing > 0 ? 'PROCESSING' : 'READY',
    fileErrors: [],
    alt: null,
    createdAt: NOW,
    originalFileSize: bytes.length,
  };
}
