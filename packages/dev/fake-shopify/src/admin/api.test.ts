import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appClient } from '../app-client.ts';
import { type FakeShopify, startFakeShopify } from '../fake-shopify.ts';
import { bigShop, sampleShop } from '../shop/samples.ts';
import { type FakeShop, gid } from '../shop/shop.ts';
import { faultsOfDocument, scopesOfDocument } from './api.ts';

let fakeShopify: FakeShopify;
let shop: FakeShop;
let now = Date.now();
let app: ReturnType<typeof appClient>;
beforeAll(async () => {
  fakeShopify = await startFakeShopify([], { clock: () => now });
});
beforeEach(async () => {
  now = Date.now();
  shop = sampleShop();
  fakeShopify.shops.set(shop.domain, shop);
  fakeShopify.faults.clear();
  fakeShopify.api.bucket(shop.domain).giveBack(2_000);
  app = appClient(fakeShopify, shop.domain);
});
afterAll(() => fakeShopify.close());

describe('GraphQL documents', () => {
  it('executes a document whose fields are all in the schema', async () => {
    const { data } = await app.graphql('query Context { shop { name shopAddress { countryCodeV2 } } }');
    expect(data).toEqual({ shop: { name: 'Sample Shop', shopAddress: { countryCodeV2: 'US' } } });
  });

  it.each([
    ['with an unknown field', '{ shop { nam } }', /Cannot query field "nam"/],
    ['with a deprecated field', '{ shop { billingAddress { id } } }', /deprecated/],
    ['with an unknown root field', '{ theme(id: 3) { id name } missing }', /Cannot query field "missing"/],
    ['with a missing argument', 'mutation A { fileDelete { deletedFileIds } }', /argument "fileIds"/],
    ['that is incomplete', '{ shop {', /Syntax Error/],
    ['with a connection that doesn’t specify a size', '{ products { nodes { id } } }', /one of first or last/],
    ['with a connection that is too large', '{ products(first: 251) { nodes { id } } }', /out of range/],
  ])('rejects a document %s', async (_, query, message) => {
    const { status, data, errors } = await app.graphql(query);
    expect(status).toBe(200);
    expect(data).toBeUndefined();
    expect(errors?.[0]?.message).toMatch(message);
  });

  it('rejects a document that is sent to another API version or with an unknown token', async () => {
    expect((await app.graphql('{ shop { name } }', {}, { version: '2025-10' })).status).toBe(404);
    expect((await app.graphql('{ shop { name } }', {}, { token: 'shpat_guessed' })).status).toBe(401);
  });

  it('returns a document’s errors and required scopes for contract tests', () => {
    expect(faultsOfDocument('{ shop { nam } }')).toHaveLength(1);
    expect(scopesOfDocument('{ shop { name } themes(first: 1) { nodes { id } } }')).toEqual(['read_themes']);
    expect(
      scopesOfDocument('mutation U($id: ID!) { inventoryItemUpdate(id: $id, input: {}) { inventoryItem { id } } }'),
    ).toEqual(['write_inventory', 'read_products']);
  });
});

describe('the scope check', () => {
  it('sets a field to null and adds an error if the field’s scope is missing', async () => {
    shop.scopes.delete('read_themes');
    const { data, errors } = await app.graphql('{ shop { name } themes(first: 5) { nodes { id } } }');
    expect(data).toEqual({ shop: { name: 'Sample Shop' }, themes: null });
    expect(errors).toMatchObject([{ path: ['themes'], extensions: { code: 'ACCESS_DENIED' } }]);
  });

  it('accepts a write scope where a read scope is required', async () => {
    shop.scopes = new Set(['write_themes']);
    expect((await app.graphql('{ themes(first: 5) { nodes { name } } }')).data.themes.nodes).toHaveLength(2);
  });

  it('blocks a mutation if its scope is missing', async () => {
    const { inventoryItemId: id } = shop.products[0]!.variants[0]!;
    const { data, errors } = await app.graphql(UPDATE, { id, input: { harmonizedSystemCode: '7318158069' } });
    expect(errors).toMatchObject([{ extensions: { code: 'ACCESS_DENIED' } }]);
    expect(data).toEqual({ inventoryItemUpdate: null });
    expect(shop.products[0]!.variants[0]!.harmonizedSystemCode).toBe('7318152061');
  });
});

const UPDATE = `mutation Update($id: ID!, $input: InventoryItemInput!) { inventoryItemUpdate(id: $id, input: $input) {
  inventoryItem { harmonizedSystemCode countryCodeOfOrigin } userErrors { field message } } }`;
const PAGE = `query Page($after: String) { productVariants(first: 30, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`;

describe('the catalog', () => {
  it('returns each variant exactly once across all pages', async () => {
    const ids: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { productVariants } = (await app.graphql(PAGE, { after })).data;
      ids.push(...productVariants.nodes.map(({ id }: { id: string }) => id));
      after = productVariants.pageInfo.hasNextPage ? productVariants.pageInfo.endCursor : null;
    }
    expect(shop.products).toHaveLength(40);
    expect(ids).toEqual(shop.products.flatMap(({ variants }) => variants.map(({ id }) => id)));
  });

  it('applies supported search terms and rejects unsupported search terms', async () => {
    shop.products[3]!.status = 'DRAFT';
    const count = async (query: string) =>
      await app.graphql('query C($query: String) { productsCount(query: $query, limit: null) { count precision } }', {
        query,
      });
    expect((await count('status:active')).data.productsCount).toEqual({ count: 39, precision: 'EXACT' });
    expect((await count('id:>38')).data.productsCount.count).toBe(2);
    expect((await count('inventory_total:0')).errors?.[0]?.message).toMatch(/doesn’t support the search term/);
  });

  it('accepts an HTS code that contains only digits, and identifies the field with an invalid code', async () => {
    shop.scopes.add('write_inventory');
    const { inventoryItemId: id } = shop.products[0]!.variants[0]!;
    const update = async (input: object) => (await app.graphql(UPDATE, { id, input })).data.inventoryItemUpdate;
    expect((await update({ harmonizedSystemCode: '7318.15' })).userErrors).toMatchObject([
      { field: ['input', 'harmonizedSystemCode'] },
    ]);
    const changed = await update({ harmonizedSystemCode: '7318158069', countryCodeOfOrigin: 'JP' });
    expect(changed.inventoryItem).toEqual({ harmonizedSystemCode: '7318158069', countryCodeOfOrigin: 'JP' });
  });
});

const FILES = `query Files($id: ID!, $first: Int, $after: String, $filenames: [String!]) { theme(id: $id) {
  files(first: $first, after: $after, filenames: $filenames) {
    nodes { filename checksumMd5 size body { __typename ... on OnlineStoreThemeFileBodyText { content }
      ... on OnlineStoreThemeFileBodyBase64 { contentBase64 } ... on OnlineStoreThemeFileBodyUrl { url } } }
    userErrors { filename code } pageInfo { hasNextPage endCursor } } } }`;

describe('theme files', () => {
  const files = async (variables: object) =>
    (await app.graphql(FILES, { id: gid('OnlineStoreTheme', 101), ...variables })).data.theme.files;

  it('paginates the theme files that match a pattern', async () => {
    const first = await files({ first: 2, filenames: ['layout/*', 'templates/*'] });
    expect(first.nodes.map(({ filename }: { filename: string }) => filename)).toEqual([
      'layout/password.liquid',
      'layout/theme.liquid',
    ]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await files({ first: 50, after: first.pageInfo.endCursor, filenames: ['layout/*', 'templates/*'] });
    expect(rest.nodes).toHaveLength(6);
  });

  it('changes a theme file’s checksum when the file’s text changes', async () => {
    const checksum = async () => (await files({ filenames: ['layout/theme.liquid'] })).nodes[0].checksumMd5;
    const before = await checksum();
    shop.themes[0]!.files.set('layout/theme.liquid', 'changed');
    expect(await checksum()).not.toBe(before);
  });

  it('returns the content of theme files as text, as Base64, or as a URL', async () => {
    const body = async () => (await files({ filenames: ['snippets/tracking.liquid'] })).nodes[0].body;
    const { content } = await body();
    expect(content).toContain('UA-48151623-1');
    fakeShopify.faults.plan({ kind: 'fileBodies', as: 'base64' });
    expect(Buffer.from((await body()).contentBase64, 'base64').toString()).toBe(content);
    fakeShopify.faults.plan({ kind: 'fileBodies', as: 'url' });
    expect(await (await app.fetch((await body()).url)).text()).toBe(content);
  });

  it('reports theme files that can’t be read', async () => {
    fakeShopify.faults.plan({ kind: 'fileErrors', filenames: ['layout/theme.liquid'] });
    const { nodes, userErrors } = await files({ filenames: ['layout/*', 'snippets/none.liquid'] });
    expect(nodes).toHaveLength(1);
    expect(userErrors).toEqual([
      { filename: 'layout/theme.liquid', code: 'ERROR' },
      { filename: 'snippets/none.liquid', code: 'NOT_FOUND' },
    ]);
  });
});

describe('query cost', () => {
  const CATALOG = `query Catalog { productVariants(first: 250) { nodes { id inventoryItem { id } } pageInfo { hasNextPage } } }`;

  it('charges the measured cost of 25 points for a product’s 250 variants and their inventory items', async () => {
    const query = `query V($id: ID!) { product(id: $id) { variants(first: 250) { nodes { inventoryItem { id requiresShipping } } } } }`;
    const { extensions } = await app.graphql(query, { id: shop.products[0]!.id });
    expect(extensions?.cost.requestedQueryCost).toBe(25);
  });

  it('charges for the number of objects returned, not for the number requested', async () => {
    fakeShopify.api.bucket(shop.domain).drainTo(1_000);
    const { cost } = (await app.graphql('query P { productVariants(first: 250, query: "id:100") { nodes { id } } }'))
      .extensions!;
    expect(cost).toMatchObject({ requestedQueryCost: 12, actualQueryCost: 2 });
    expect(cost.throttleStatus.currentlyAvailable).toBe(998);
  });

  it('refills the bucket at 100 points per second, and doesn’t charge for throttled queries', async () => {
    fakeShopify.api.bucket(shop.domain).drainTo(5);
    const throttled = await app.graphql(CATALOG);
    expect(throttled).toMatchObject({ status: 200, errors: [{ extensions: { code: 'THROTTLED' } }] });
    const { requestedQueryCost, throttleStatus } = throttled.extensions!.cost;
    expect(throttleStatus.currentlyAvailable).toBe(5);
    now += ((requestedQueryCost - 5) / 100) * 1000;
    expect((await app.graphql(CATALOG)).data.productVariants.nodes).toHaveLength(79);
  });

  it('rejects a query that costs more than 1,000 points', async () => {
    const query = `query Deep { products(first: 250) { nodes { variants(first: 250) { nodes { inventoryItem { id
      countryHarmonizedSystemCodes(first: 250) { nodes { countryCode } } } } } } } }`;
    expect((await app.graphql(query)).errors).toMatchObject([{ extensions: { code: 'MAX_COST_EXCEEDED' } }]);
  });
});

describe('bulk operations', () => {
  const START = `mutation Start($query: String!) { bulkOperationRunQuery(query: $query) {
    bulkOperation { id status } userErrors { field message code } } }`;
  const POLL = `query Poll($id: ID!) { bulkOperation(id: $id) { status errorCode objectCount rootObjectCount fileSize url partialDataUrl } }`;
  const EXPORT =
    '{ products { edges { node { id title variants { edges { node { id sku inventoryItem { harmonizedSystemCode } } } } } } } }';
  const start = async (query = EXPORT) => (await app.graphql(START, { query })).data.bulkOperationRunQuery;
  const finish = async (id: string) => {
    expect((await app.graphql(POLL, { id })).data.bulkOperation).toMatchObject({ status: 'RUNNING', url: null });
    return (await app.graphql(POLL, { id })).data.bulkOperation;
  };

  it('writes each child to the JSON Lines file after its parent, with the parent’s ID', async () => {
    const big = bigShop(5_000);
    fakeShopify.shops.set(big.domain, big);
    app = appClient(fakeShopify, big.domain);
    const { bulkOperation } = await start();
    expect(bulkOperation.status).toBe('CREATED');
    const done = await finish(bulkOperation.id);
    expect(done).toMatchObject({ status: 'COMPLETED', objectCount: '6250', rootObjectCount: '1250' });
    const text = await (await app.fetch(done.url)).text();
    expect(String(Buffer.byteLength(text))).toBe(done.fileSize);
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines[0]).toEqual({ id: gid('Product', 1), title: 'Hex bolt M8, box of 100 no. 1' });
    expect(lines[1]).toMatchObject({ sku: 'SKU-1-1', __parentId: gid('Product', 1) });
    expect(lines).toHaveLength(6_250);
  });

  it('keeps the partial data from a bulk operation that times out', async () => {
    fakeShopify.faults.plan({ kind: 'bulkTimeout', afterLines: 7 });
    const done = await finish((await start()).bulkOperation.id);
    expect(done).toMatchObject({ status: 'FAILED', errorCode: 'TIMEOUT', url: null });
    expect((await (await app.fetch(done.partialDataUrl)).text()).trimEnd().split('\n')).toHaveLength(7);
  });

  it('doesn’t write a file for a bulk operation without results', async () => {
    shop.products = [];
    expect(await finish((await start()).bulkOperation.id)).toMatchObject({ status: 'COMPLETED', url: null });
  });

  it.each([
    ['a syntax error', '{ products { edges'],
    ['an unknown field', '{ products { edges { node { nam } } } }'],
    ['no connection', '{ shop { name } }'],
  ])('rejects a bulk query with %s', async (_, query) => {
    expect((await start(query)).userErrors).toMatchObject([{ field: ['query'], code: 'INVALID' }]);
  });

  it('allows only five bulk operations at a time', async () => {
    for (let count = 0; count < 5; count++) expect((await start()).userErrors).toEqual([]);
    expect((await start()).userErrors).toMatchObject([{ code: 'OPERATION_IN_PROGRESS' }]);
  });
});

describe('the file and metafield APIs', () => {
  const STAGE = `mutation Stage($input: [StagedUploadInput!]!) { stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } } userErrors { message } } }`;
  const CREATE = `mutation Create($files: [FileCreateInput!]!) { fileCreate(files: $files) {
    files { id fileStatus } userErrors { field message code } } }`;
  const POLL =
    'query Poll($id: ID!) { node(id: $id) { id ... on GenericFile { fileStatus url fileErrors { message } } } }';
  const SET = `mutation Set($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) {
    metafields { namespace value compareDigest } userErrors { field code elementIndex } } }`;

  async function upload(change: (form: FormData) => void = () => {}) {
    const input = [
      { filename: 'certificate 1.pdf', mimeType: 'application/pdf', resource: 'FILE', httpMethod: 'POST' },
    ];
    const [target] = (await app.graphql(STAGE, { input })).data.stagedUploadsCreate.stagedTargets;
    const form = new FormData();
    for (const { name, value } of target.parameters) form.append(name, value);
    form.append('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }));
    change(form);
    const { status } = await app.fetch(target.url, { method: 'POST', body: form });
    return { status, originalSource: target.resourceUrl as string };
  }

  it('accepts an upload with all required fields, and creates a file that becomes ready later', async () => {
    shop.scopes.add('write_files');
    const { status, originalSource } = await upload();
    expect(status).toBe(201);
    const { files } = (await app.graphql(CREATE, { files: [{ originalSource }] })).data.fileCreate;
    expect(files[0].fileStatus).toBe('UPLOADED');
    const poll = async () => (await app.graphql(POLL, { id: files[0].id })).data.node;
    expect(await poll()).toMatchObject({ fileStatus: 'PROCESSING', url: null });
    const ready = await poll();
    expect(ready.fileStatus).toBe('READY');
    expect(await (await app.fetch(ready.url)).text()).toBe('%PDF-1.7');
  });

  it('rejects an upload with a changed field, and rejects a file that was never uploaded', async () => {
    shop.scopes.add('write_files');
    const { status, originalSource } = await upload(form => form.set('policy', 'mine'));
    expect(status).toBe(400);
    const { files, userErrors } = (await app.graphql(CREATE, { files: [{ originalSource }] })).data.fileCreate;
    expect([files, userErrors]).toMatchObject([null, [{ field: ['files', '0', 'originalSource'] }]]);
  });

  it('sets all metafields, or none if any value has changed since the app read the metafields', async () => {
    shop.scopes.add('write_products');
    const field = {
      ownerId: shop.products[0]!.id,
      namespace: '$app:gcc',
      key: 'certificate',
      type: 'json',
      value: '{}',
    };
    const set = async (...metafields: object[]) => (await app.graphql(SET, { metafields })).data.metafieldsSet;
    const { metafields } = await set(field);
    expect(metafields[0].namespace).toBe('app--fake-api-key--gcc');
    const stale = await set({ ...field, key: 'other' }, { ...field, value: '{"a":1}', compareDigest: 'another' });
    expect(stale).toMatchObject({ metafields: null, userErrors: [{ code: 'STALE_OBJECT', elementIndex: 1 }] });
    expect(shop.metafields.size).toBe(1);
    const fresh = await set({ ...field, value: '{"a":1}', compareDigest: metafields[0].compareDigest });
    expect(fresh.metafields[0].value).toBe('{"a":1}');
  });
});

describe('planned faults', () => {
  const QUERY = 'query Named { shop { name } }';

  it('applies a fault to an operation the requested number of times', async () => {
    fakeShopify.faults.plan({ kind: 'status', status: 503 }, { operation: 'Named', times: 2 });
    expect((await app.graphql('query Other { shop { name } }')).status).toBe(200);
    expect((await app.graphql(QUERY)).status).toBe(503);
    expect((await app.graphql(QUERY)).status).toBe(503);
    expect((await app.graphql(QUERY)).status).toBe(200);
  });

  it('applies a fault only to the given shop', async () => {
    fakeShopify.faults.plan({ kind: 'throttled' }, { shop: 'other.myshopify.com' });
    expect((await app.graphql(QUERY)).errors).toBeUndefined();
  });

  it('simulates truncated JSON, closed connections, delayed responses, and rejected mutations', async () => {
    await app.graphql(QUERY);
    fakeShopify.faults.plan({ kind: 'broken' });
    await expect(app.graphql(QUERY)).rejects.toThrow(SyntaxError);
    fakeShopify.faults.plan({ kind: 'hangUp' });
    await expect(app.graphql(QUERY)).rejects.toThrow(TypeError);
    fakeShopify.faults.plan({ kind: 'slow', ms: 50 });
    const started = performance.now();
    expect((await app.graphql(QUERY)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(45);
    shop.scopes.add('write_inventory');
    fakeShopify.faults.plan({ kind: 'userErrors', message: 'Not today' }, { operation: 'Update' });
    const { inventoryItemId: id } = shop.products[0]!.variants[0]!;
    const { data } = await app.graphql(UPDATE, { id, input: { countryCodeOfOrigin: 'JP' } });
    expect(data.inventoryItemUpdate.userErrors).toMatchObject([{ message: 'Not today' }]);
    expect(shop.products[0]!.variants[0]!.origin).toBe('TW');
  });

  it('records the call that a fault affected', async () => {
    fakeShopify.faults.plan({ kind: 'status', status: 402 });
    await app.graphql(QUERY);
    expect(fakeShopify.calls.at(-1)).toMatchObject({ shop: shop.domain, operation: 'Named', status: 402 });
  });
});
