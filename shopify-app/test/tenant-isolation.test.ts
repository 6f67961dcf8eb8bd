import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATASET } from '@compliance/core/tariff';
import { sampleShop, sampleThemeFiles } from '@compliance/fake-shopify';
import type { Job } from '@compliance/store/jobs';
import type { ServerBuild } from '@remix-run/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issuingContext } from '../src/certificates/certificate-context.ts';
import { FILLED as COMPLETE } from '../src/certificates/testing/helmet.ts';
import { FILLED_PUZZLE } from '../src/certificates/testing/puzzle.ts';
import { createApp } from '../src/context/app.ts';
import { loadBuild } from '../src/http/server.ts';
import { type AppHarness, startAppHarness } from './harness.ts';

const SRC = join(import.meta.dirname, '../src');
const SERVICE =
  /^export (?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?)\(\s*(?:\w+|\{[^}]*\}): (Shop|Merchant|IssuingContext)\b/gm;
const { server: build } = await loadBuild(join(import.meta.dirname, '../build'));

/** Marker text in the first shop's data that never occurs in the second shop's data. */
const MARK = 'ALPHA-ONLY';
const ATTACHMENTS = 'routes/app.certificates-attachments.$product';
const { product_info, manufacturer, testing_lab, ...others } = COMPLETE;
const FILLED = {
  ...others,
  product_info: { ...product_info, name: MARK, description: MARK },
  manufacturer: { ...manufacturer, name: MARK, contact_email: 'a@alpha.example' },
  testing_lab: { ...testing_lab, name: MARK },
  efiling: { certifier_id: MARK, version_id: '1' },
};

const OF_ALPHA = new RegExp(`${MARK}|alpha|%PDF`);

let harness: AppHarness;
let alpha: string;
let beta: string;
/** IDs from the first shop that the second shop might know. */
let ids: {
  readonly fingerprint: string;
  readonly scan: string;
  readonly ownScan: string;
  readonly variant: string;
  readonly draft: string;
  readonly attachment: string;
  readonly certificate: string;
  readonly childrens: string;
  readonly file: string;
  readonly job: string;
  readonly cursor: string;
};
let kept: readonly string[];

beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 4 });
  const [one, two] = [sampleShop('alpha'), sampleShop('beta')];
  one.name = MARK;
  one.themes[0]!.name = MARK;
  for (const product of one.products) {
    product.title = `${MARK} ${product.title}`;
    product.vendor = MARK;
    for (const variant of product.variants) Object.assign(variant, { title: `${MARK} ${variant.title}`, sku: MARK });
  }
  one.themes[0]!.files.set(`snippets/${MARK}.liquid`, one.themes[0]!.files.get('snippets/tracking.liquid')!);
  // In the second shop, the same product numbers refer to different products or to no product.
  two.products = two.products.slice(0, 3);
  two.themes[0]!.files = sampleThemeFiles('');
  two.pixels = [];
  [alpha, beta] = [one.domain, two.domain];
  for (const shop of [one, two]) {
    shop.scopes.add('write_inventory').add('write_files').add('write_products');
    await harness.fakeShopify.add(shop);
    expect((await harness.visit(shop.domain)).status).toBe(200);
  }
  await Promise.all([alpha, beta].map(ended));
  await harness.store.shop(beta).setSettings({ locale: 'en' });

  const shop = harness.store.shop(alpha);
  const { rows } = await shop.findings.list({ status: 'open', limit: 50 });
  const [first, second] = rows;
  const send = (path: string, route: string, fields: Record<string, string>) => post(alpha, path, route, form(fields));
  await send(`/app/findings/${second!.fingerprint}`, 'routes/app.findings.$fingerprint', {
    intent: 'accept',
    reason: MARK,
  });
  const sent = [{ phase: 'load', step: 'page', vendor: 'meta', event: MARK, count: 1 }];
  await shop.renderings.record({
    ...{ id: 'rendering', state: 'partial', reason: null, startedAt: 0, score: 80, verdicts: new Map() },
    detail: { ...{ steps: [], events: 1, sent, cut: null, traffic: [], staticScore: 80 }, verdicts: {} },
  });
  const product = 'routes/app.certificates.$product';
  for (const number of [8, 9, 40]) await send(`/app/certificates/${number}`, product, { intent: 'begin' });
  const draftOf = async (number: number) =>
    ((await shop.productCertificates.get(`gid://shopify/Product/${number}`)).draft as { id: string }).id;
  const issued = await draftOf(8);
  const childrens = await draftOf(40);
  const fields = JSON.stringify(FILLED);
  const sign = { name: MARK, title: MARK, agreed: 'true' };
  await send('/app/certificates/8', product, { intent: 'issue', draft: issued, fields, ...sign });
  const puzzle = JSON.stringify({
    ...{ ...FILLED_PUZZLE, tracking_label: { name: MARK }, language: 'de' },
    product_info: { ...FILLED_PUZZLE.product_info, name: `${MARK} kids puzzle`, variants: [{ sku: MARK }] },
  });
  await send('/app/certificates/40', product, { intent: 'issue', draft: childrens, fields: puzzle, ...sign });
  await send('/app/certificates/9', product, { intent: 'save', draft: await draftOf(9), fields });
  await send('/app/certificates/8', product, { intent: 'put', certificate: issued });
  await post(alpha, '/app/certificates-attachments/9', ATTACHMENTS, attachForm(await draftOf(9)));
  const [attachment] = await shop.draftAttachments.list(await draftOf(9));
  ids = {
    fingerprint: first!.fingerprint,
    scan: (await shop.scans.latest())!.id,
    ownScan: (await harness.store.shop(beta).scans.latest())!.id,
    variant: '800',
    draft: await draftOf(9),
    attachment: attachment!.id,
    certificate: issued,
    childrens,
    file: one.files[0]!.id,
    job: (await shop.jobs.latest('scan'))!.id,
    cursor: (await shop.variants.list({ limit: 20 })).next!,
  };
  await ended(alpha);
  kept = await rowsOf(alpha);
  const tables = new Set(kept.map(line => (JSON.parse(line) as { table: string }).table));
  expect(tables.size).toBeGreaterThanOrEqual(9);
  expect((await harness.store.certificates.get(issued))?.status).toBe('complete');
  expect((await harness.store.certificates.get(childrens))?.status).toBe('complete');
});
afterAll(() => harness?.close());

/** Waits until the shop has no due jobs. */
async function ended(domain: string): Promise<void> {
  const hasDueJobs = async () => {
    const jobs = await harness.store.shop(domain).jobs.list({ limit: 100 });
    // The theme watch repeats its comparison for half an hour, so the job counts as ended after the first comparison.
    const isWatch = ({ kind, startedAt }: Job) => kind === 'theme_watch' && startedAt !== null;
    const isDue = (job: Job) => job.runAt <= Date.now() && !isWatch(job);
    return jobs.some(job => job.state === 'running' || (job.state === 'queued' && isDue(job)));
  };
  await vi.waitFor(async () => expect(await hasDueJobs()).toBe(false), { timeout: 50_000, interval: 100 });
}

async function rowsOf(domain: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of harness.store.shop(domain).export()) lines.push(line);
  return lines.sort();
}

const form = (fields: Record<string, string>): URLSearchParams => new URLSearchParams(fields);
const ofRoute = (path: string, route: string) =>
  `${path}${path.includes('?') ? '&' : '?'}_data=${encodeURIComponent(route)}`;
const post = (domain: string, path: string, route: string, body: URLSearchParams | FormData) =>
  harness.askAs(domain, ofRoute(path, route), { method: 'POST', body });

/**
 * Requests that try to access the first shop's data through a route. The tests check that no response contains that
 * data.
 */
interface Asked {
  readonly paths: () => readonly string[];
  readonly forms?: () => readonly (URLSearchParams | FormData)[];
}

const change = (variantId: string) => ({
  variantId,
  expected: { htsCode: '6506103045', origin: 'CN' },
  wanted: { htsCode: '4820102020', origin: null },
});
function upload(): FormData {
  const fields = new FormData();
  fields.set(
    'file',
    new File([`Variant ID,HTS code\ngid://shopify/ProductVariant/${ids.variant},4820102020\n`], 'codes.csv'),
  );
  return fields;
}

function attachForm(draft: string): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries({ intent: 'attach', draft })) fields.set(name, value);
  fields.set('files', new File(['%PDF-1.7'], `${MARK}.pdf`));
  return fields;
}

/** Returns a form that attaches a file without the marker text to another shop's draft. */
function foreignAttachForm(): FormData {
  const fields = attachForm(ids.draft);
  fields.set('files', new File(['%PDF-1.7'], 'b.pdf'));
  return fields;
}

function efilingForm(): FormData {
  const fields = new FormData();
  fields.set('target', 'fedex_reference');
  return fields;
}

const ROUTES: Readonly<Record<string, Asked>> = {
  'routes/app._index': { paths: () => ['/app?index'], forms: () => [form({ shop: alpha })] },
  'routes/app.$': { paths: () => ['/app/nothing'] },
  'routes/app.browser-check': { paths: () => ['/app/browser-check', `/app/browser-check?shop=${alpha}`] },
  'routes/app.catalog-csv': { paths: () => ['/app/catalog-csv', '/app/catalog-csv?text=lpha'] },
  'routes/app.catalog.$variant': {
    paths: () => [`/app/catalog/${ids.variant}`],
    forms: () => [form({ wantedHtsCode: '4820102020', expectedHtsCode: '6506103045', expectedOrigin: 'CN' })],
  },
  'routes/app.catalog._index': {
    paths: () => ['/app/catalog?index', '/app/catalog?index&text=lpha', `/app/catalog?index&cursor=${ids.cursor}`],
    forms: () => [form({ shop: alpha })],
  },
  'routes/app.catalog.bulk': {
    paths: () => ['/app/catalog/bulk', `/app/catalog/bulk?digits=missing&cursor=${ids.cursor}`],
    forms: () => [
      form({ digits: 'short', groups: JSON.stringify([{ key: '731812', code: '7318120000' }]), shop: alpha }),
    ],
  },
  'routes/app.catalog.import': {
    paths: () => ['/app/catalog/import'],
    forms: () => [form({ changes: JSON.stringify([change(`gid://shopify/ProductVariant/${ids.variant}`)]) }), upload()],
  },
  'routes/app.certificates.bulk': {
    paths: () => ['/app/certificates/bulk'],
    forms: () => [
      form({ intent: 'save', name: 'B', fields: '{}', shop: alpha }),
      form({ intent: 'create', id: ids.draft }),
      form({ intent: 'delete', id: ids.draft }),
    ],
  },
  [ATTACHMENTS]: {
    paths: () => ['/app/certificates-attachments/9', '/app/certificates-attachments/8'],
    forms: () => [foreignAttachForm(), form({ intent: 'remove', draft: ids.draft, id: ids.attachment })],
  },
  'routes/app.certificates-csv': { paths: () => ['/app/certificates-csv'] },
  'routes/app.certificates-efiling.$certificate': {
    paths: () => [ids.certificate, ids.childrens].map(id => `/app/certificates-efiling/${id}`),
    forms: () => [efilingForm(), form({ target: 'registry_csv', shop: alpha })],
  },
  'routes/app.certificates-label.$certificate': {
    paths: () =>
      [ids.certificate, ids.childrens].map(id => `/app/certificates-label/${id}?size=carton&dpi=203&file=svg`),
  },
  'routes/app.certificates-tracking-label.$certificate': {
    paths: () => [`/app/certificates-tracking-label/${ids.childrens}`],
  },
  'routes/app.certificates-variants.$product': {
    paths: () => ['/app/certificates-variants/8', '/app/certificates-variants/40'],
  },
  'routes/app.certificates-pdf.$certificate': { paths: () => [`/app/certificates-pdf/${ids.certificate}`] },
  'routes/app.certificates-preview.$product': { paths: () => ['/app/certificates-preview/9'] },
  'routes/app.certificates-rules': { paths: () => ['/app/certificates-rules?q=1203'] },
  'routes/app.certificates.$product': {
    paths: () => ['/app/certificates/8', '/app/certificates/9', '/app/certificates/40'],
    forms: () => [
      form({ intent: 'begin' }),
      form({ intent: 'save', draft: ids.draft, fields: '{}' }),
      form({ intent: 'issue', draft: ids.draft, fields: '{}', name: 'B', agreed: 'true' }),
      form({ intent: 'issue', draft: ids.certificate, fields: '{}', name: 'B', agreed: 'true' }),
      form({ intent: 'discard', draft: ids.draft }),
      form({ intent: 'void', reason: 'B' }),
      form({ intent: 'put', certificate: ids.certificate, file: ids.file }),
    ],
  },
  'routes/app.certificates._index': {
    paths: () => ['none', 'draft', 'issued', 'voided'].map(state => `/app/certificates?index&state=${state}&q=lpha`),
  },
  'routes/app.export': { paths: () => ['/app/export', `/app/export?shop=${alpha}`] },
  'routes/app.extension.print.$product': {
    paths: () => ['certificate', 'product_label'].map(name => `/app/extension/print/8?document=${name}`),
  },
  'routes/app.extension.products.$product': {
    paths: () => ['/app/extension/products/8', '/app/extension/products/9'],
    forms: () => ['check', 'draft'].map(intent => form({ intent, shop: alpha })),
  },
  'routes/app.findings-csv': { paths: () => ['/app/findings-csv', '/app/findings-csv?status=accepted'] },
  'routes/app.findings.$fingerprint': {
    paths: () => [`/app/findings/${ids.fingerprint}`],
    forms: () => [
      ...['recheck', 'unaccept', 'watch'].map(intent => form({ intent })),
      form({ intent: 'accept', reason: 'B', until: '' }),
    ],
  },
  'routes/app.findings._index': {
    paths: () => ['open', 'accepted', 'refuted', 'fixed'].map(status => `/app/findings?index&status=${status}`),
    forms: () => [form({ fingerprint: ids.fingerprint, reason: 'B', until: '' })],
  },
  'routes/app.history-csv': { paths: () => ['/app/history-csv'] },
  'routes/app.history.$scan': {
    paths: () => [`/app/history/${ids.scan}`, `/app/history/${ids.ownScan}?against=${ids.scan}`],
  },
  'routes/app.history._index': { paths: () => ['/app/history?index'] },
  'routes/app.scan': { paths: () => ['/app/scan'], forms: () => [form({ shop: alpha, id: ids.job })] },
  'routes/app.settings': {
    paths: () => ['/app/settings', '/app/settings?plan=chosen'],
    forms: () => [form({ fingerprint: ids.fingerprint }), form({ schedule: 'daily', rendering: 'off', shop: alpha })],
  },
  'routes/app.settings-erase': {
    paths: () => ['/app/settings-erase'],
    forms: () => [form({ typed: alpha, shop: alpha })],
  },
};

/** Routes whose `GET` responses don't contain the marker text, even for the first shop. */
const WITHOUT_MARK = [
  'routes/app.$',
  'routes/app.catalog.import',
  'routes/app.certificates-rules',
  'routes/app.certificates.bulk',
  'routes/app.history-csv',
];

/** Authenticated routes in the build that have a loader or an action. */
const gated = Object.values(build.routes as ServerBuild['routes']).flatMap(route =>
  route?.id.startsWith('routes/app') && (route.module.loader || route.module.action) ? [route] : [],
);

describe('tenant isolation of routes', () => {
  it('covers every authenticated route in the build', () => {
    expect(gated.map(({ id }) => id).sort()).toEqual(Object.keys(ROUTES).sort());
    const acting = gated.filter(({ module }) => module.action).map(({ id }) => id);
    expect(acting.sort()).toEqual(
      Object.keys(ROUTES)
        .filter(id => ROUTES[id]!.forms)
        .sort(),
    );
  });

  it.each(Object.keys(ROUTES))('shows a merchant only that merchant’s own data on %s', async id => {
    const { module } = gated.find(route => route.id === id)!;
    const { paths, forms = () => [] } = ROUTES[id]!;
    for (const path of paths()) {
      if (module.loader) {
        const own = Buffer.from(await (await harness.askAs(alpha, ofRoute(path, id))).arrayBuffer());
        if (path === paths()[0]) expect(own.includes(MARK) || own.includes('%PDF')).toBe(!WITHOUT_MARK.includes(id));
        const answer = await harness.askAs(beta, ofRoute(path, id), { headers: { 'X-Shopify-Shop-Domain': alpha } });
        expect(answer.status, path).toBeLessThan(500);
        expect(await answer.text(), path).not.toMatch(OF_ALPHA);
      }
      for (const body of forms()) {
        const answer = await post(beta, path, id, body);
        expect(answer.status, `${path} ${body}`).toBeLessThan(500);
        expect(await answer.text(), `${path} ${body}`).not.toMatch(OF_ALPHA);
      }
    }
    expect(await rowsOf(alpha)).toEqual(kept);
    expect((await harness.store.certificates.get(ids.certificate))?.status).toBe('complete');
  });

  it.each(Object.keys(ROUTES))('returns an empty response from %s to an unauthenticated visitor', async id => {
    for (const path of ROUTES[id]!.paths()) {
      const asked = [`${path}`, ofRoute(path, id), `${ofRoute(path, id)}&shop=${alpha}&embedded=1`];
      for (const address of asked) {
        for (const method of ['GET', 'POST']) {
          const answer = await harness.ask(address, { method, headers: { 'X-Shopify-Shop-Domain': alpha } });
          expect([302, 400, 401], `${method} ${address}`).toContain(answer.status);
          expect(await answer.text()).toBe('');
        }
      }
    }
  });

  it('never copies the first shop’s data into the second shop', async () => {
    await ended(beta);
    expect((await rowsOf(beta)).filter(line => line.includes(MARK))).toEqual([]);
    const sentToFlow = (domain: string) => JSON.stringify(harness.fakeShopify.shops.get(domain)!.flowEvents);
    expect(sentToFlow(alpha)).toContain(`/store/alpha/`);
    expect(sentToFlow(beta)).not.toMatch(OF_ALPHA);
    const fakeShop = harness.fakeShopify.shops.get(alpha)!.products[7]!.variants[0]!;
    expect(fakeShop.harmonizedSystemCode).toBe('6506103045');
  });
});

const product = (number: number) => `gid://shopify/Product/${number}`;
const sign = { agreed: true, name: 'B', title: '' };
const now = Date.now();

/** Each service's arguments, except for the first argument, which is always the second shop. */
const SERVICES: Readonly<Record<string, () => readonly unknown[]>> = {
  'alerts/alert.ts recordAlerts': () => [
    now,
    [{ key: 'k', kind: 'error', detail: { title: 'B', place: null, fingerprint: ids.fingerprint } }],
  ],
  'alerts/alert.ts setAlertSettings': () => [{ when: 'at_once', email: 'b@beta.example' }, now],
  'alerts/refuted.ts withoutRefuted': () => [
    [{ key: 'k', at: 0, kind: 'error', detail: { title: 'B', place: null, fingerprint: ids.fingerprint } }],
  ],
  'billing/plan.ts checkPlan': () => [{ billing: { appHandle: 'app', foundingShops: [alpha] }, now }],
  'billing/plan.ts tryToCheckPlan': () => [{ appHandle: 'app', foundingShops: [alpha] }, now],
  'browser-check/browser-check.ts browserCheckOf': () => ['available', now],
  'browser-check/browser-check.ts latestCheckOf': () => [],
  'catalog/bulk/bulk-edit.ts bulkEditOf': () => [{ digits: 'short', cursor: ids.cursor }],
  'catalog/bulk/bulk-edit.ts saveBulkEdit': () => [
    'missing',
    JSON.stringify([{ key: product(8), code: '4820102020' }]),
  ],
  'catalog/catalog.ts catalogOf': () => [{ text: 'lpha', cursor: ids.cursor }, now, DATASET],
  'catalog/catalog.ts startCatalogRead': () => [],
  'catalog/csv/read.ts previewImport': () => [Buffer.from(`Variant ID,HTS code\n${ids.variant},4820102020\n`)],
  'catalog/csv/write.ts exportCatalog': () => [{ text: 'lpha' }, now, DATASET],
  'catalog/recheck-job.ts enqueueRecheckIfOutdated': () => [now, DATASET],
  'catalog/read/refresh-product.ts refreshProduct': () => [{ productId: product(8) }, { ...given(), now, run: 'b' }],
  'catalog/read/refresh-product.ts runOf': () => [ids.job],
  'catalog/save/save-code.ts saveCode': () => [change(`gid://shopify/ProductVariant/${ids.variant}`), given()],
  'catalog/save/save-from-form.ts saveFromForm': () => [ids.variant, new FormData(), { ...given(), now }],
  'catalog/save/save-job.ts startSaving': () => [
    JSON.stringify([change(`gid://shopify/ProductVariant/${ids.variant}`)]),
  ],
  'catalog/save/save-job.ts enqueueSave': () => [[change(`gid://shopify/ProductVariant/${ids.variant}`)]],
  'catalog/save/save-job.ts latestSave': () => [],
  'catalog/tariff-alert.ts recordTariffAlert': () => [now, DATASET],
  'catalog/variant.ts variantOf': () => [ids.variant, now, DATASET],
  'certificates/attachments.ts handleAttachments': () => [
    product(9),
    toFormData({ intent: 'remove', draft: ids.draft, id: ids.attachment }),
  ],
  'certificates/bulk-drafts.ts bulkDraftsOf': () => [],
  'certificates/bulk-drafts.ts createDrafts': () => [
    ids.draft,
    { products: Buffer.from('Product ID\n8\n'), codes: null },
  ],
  'certificates/certificate-context.ts ownCertificate': () => [ids.certificate],
  'certificates/draft-files.ts attachFile': () => [
    { productId: product(9), draftId: ids.draft },
    { filename: 'b.pdf', bytes: Buffer.from('%PDF-1.7') },
  ],
  'certificates/draft-files.ts copyFiles': () => [ids.certificate, { productId: product(9), draftId: ids.draft }],
  'certificates/draft-files.ts deleteStaleFiles': () => [],
  'certificates/draft-files.ts draftFilesOf': () => [ids.draft],
  'certificates/draft-files.ts readDraftFiles': () => [ids.draft],
  'certificates/efiling.ts exportEfilingData': () => [ids.certificate, efilingForm(), null],
  'certificates/export.ts exportCertificates': () => [],
  'certificates/form.ts handleForm': () => [product(8), new FormData(), given()],
  'certificates/issue.ts issueDraft': () => [product(9), ids.draft, sign],
  'certificates/issue.ts voidCertificate': () => [product(8), 'B'],
  'certificates/issue.ts certificatePdf': () => [ids.certificate],
  'certificates/issue.ts previewPdf': () => [product(9)],
  'certificates/labels.ts labelFile': () => [
    ids.certificate,
    new URLSearchParams({ size: 'carton', dpi: '203', file: 'svg' }),
  ],
  'certificates/labels.ts trackingLabelFile': () => [ids.childrens],
  'certificates/list.ts certificatesOf': () => [{ state: 'issued', q: 'lpha', cursor: ids.cursor }],
  'certificates/list.ts productTitleOf': () => [product(8)],
  'certificates/prefill.ts prefill': () => [product(8)],
  'certificates/prefill.ts prefillFromCatalog': () => [product(8)],
  'certificates/profiles.ts saveProfile': () => [{ id: ids.draft, name: 'B', fields: '{}' }],
  'certificates/profiles.ts deleteProfile': () => [ids.draft],
  'certificates/product.ts productOf': () => ['8'],
  'certificates/variants.ts variantChoices': () => [product(8)],
  'certificates/upload-to-shopify.ts uploadToShopify': () => [
    product(8),
    { gccId: ids.certificate, previousFile: ids.file },
    given(),
  ],
  'certificates/drafts.ts loadProductCertificate': () => [product(8)],
  'certificates/drafts.ts startDraft': () => [product(8)],
  'certificates/drafts.ts saveDraft': () => [product(9), ids.draft, '{}'],
  'findings/accept.ts acceptFindings': () => [[ids.fingerprint], { reason: 'B', until: '' }, { by: 'B', now }],
  'findings/export.ts exportFindings': () => [{ status: 'accepted' }],
  'findings/findings.ts findingsOf': () => [{ status: 'open', cursor: ids.cursor }],
  'findings/findings.ts findingOf': () => [ids.fingerprint],
  'history/export.ts exportHistory': () => [],
  'history/history.ts historyOf': () => [null],
  'history/history.ts scanViewOf': () => [ids.ownScan, ids.scan],
  'home/home.ts dismissGuide': () => [],
  'http/extension-rate-limit.ts limitExtensionRequest': () => [harness.store.limits, now],
  'home/home.ts homeOf': () => [now, DATASET],
  'product-extensions/printed-document.ts printedDocument': () => ['8', 'certificate'],
  'product-extensions/product-action.ts runProductAction': () => ['8', 'draft', given()],
  'product-extensions/product-summary.ts productSummaryOf': () => ['8', DATASET, null],

  'scan/error-alerts.ts recordErrorAlerts': () => [
    now,
    { id: ids.scan, changes: { new: [], regressed: [] } },
    [],
    { rendersNext: false },
  ],
  'scan/refresh-shop.ts refreshShop': () => [AbortSignal.timeout(10_000)],
  'scan/start-scan.ts recheck': () => [ids.fingerprint],
  'scan/start-scan.ts startScan': () => ['merchant'],
  'scan/theme-watch-job.ts watchTheme': () => [],
  'scan/theme/compare-theme.ts compareTheme': () => [AbortSignal.timeout(10_000)],
  'settings/erase.ts eraseShop': () => [alpha],
  'settings/settings.ts saveAlertSettings': () => [{ alertsWhen: 'daily', alertsEmail: 'b@beta.example' }, now],
  'settings/settings.ts saveSettings': () => [{ schedule: 'weekly' }],
  'settings/settings.ts settingsOf': () => [
    { contact: null, canSendMail: true, rendering: 'off', billing: { appHandle: 'app', foundingShops: [alpha] } },
  ],
};
function toFormData(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const given = () => ({ audit: harness.store.audit, signal: AbortSignal.timeout(20_000) });

/**
 * Exported functions in `src` whose first parameter is a shop, a merchant, or an issuing context, mapped to that
 * parameter's type.
 */
const services = new Map<string, string>(
  globSync('**/*.ts', { cwd: SRC, exclude: ['**/*.test.ts', '**/testing/**'] }).flatMap(file =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(SERVICE)].map(
      ([, one, other, first]) => [`${file} ${one ?? other}`, first!] as const,
    ),
  ),
);

describe('tenant isolation of services', () => {
  it('covers every exported service', () => {
    expect([...services.keys()].sort()).toEqual(Object.keys(SERVICES).sort());
  });

  it.each(Object.keys(SERVICES))('limits the service %s to the given shop', async key => {
    const app = createApp({ config: harness.config, store: harness.store, clock: Date.now });
    const merchant = { ...app.offlineContext(beta), user: 'B' };
    const context = {
      ...issuingContext({ app, merchant }),
      baseUrl: 'https://verify.example',
    };
    const [file, name] = key.split(' ') as [string, string];
    const { [name]: service } = (await import(join(SRC, file))) as Record<string, (...all: unknown[]) => unknown>;
    const firsts: Record<string, unknown> = { Shop: merchant.shop, Merchant: merchant, IssuingContext: context };
    const answer = await service!(firsts[services.get(key)!], ...SERVICES[key]!());
    const text = answer instanceof Response ? await answer.text() : JSON.stringify(answer ?? null);
    expect(text).not.toMatch(OF_ALPHA);
    expect(await rowsOf(alpha)).toEqual(kept);
    expect((await harness.store.certificates.get(ids.certificate))?.status).toBe('complete');
  });

  it('allows access to more than one shop only in the listed files', () => {
    const reaching = globSync('**/*.ts', { cwd: SRC, exclude: ['**/*.{test,fuzz}.ts', '**/testing/**'] }).filter(file =>
      /\bstore\??\.(shops?|jobs|sessions|certificates|webhooks)\b|\bcertificates\.(get|list|search|void|pdf|issue|supersede)\(/.test(
        readFileSync(join(SRC, file), 'utf8'),
      ),
    );
    expect(reaching.sort()).toEqual(REACHING);
  });
});

/**
 * Files that are allowed to access more than one shop. These files handle authentication, the queue, the schedule,
 * webhooks, sessions, unsubscribe links, exports, and certificates.
 */
const REACHING = [
  'alerts/unsubscribe-page.ts',
  'certificates/certificate-context.ts',
  'certificates/check-job.ts',
  'certificates/draft-files.ts',
  'certificates/drafts.ts',
  'certificates/issue.ts',
  'certificates/signature.ts',
  'certificates/upload-to-shopify.ts',
  'context/app.ts',
  'jobs/worker.ts',
  'schedule/scheduler.ts',
  'serve.ts',
  'sessions/storage.ts',
  'settings/export.ts',
  'webhooks/receive-webhook.ts',
];
