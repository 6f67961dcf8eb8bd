import { bigShop } from '@compliance/fake-shopify';
import type { ObservedFinding, Shop } from '@compliance/store/shop';
import { startCatalogRead } from '../src/catalog/catalog.ts';
import { CATALOG_PAGE_SIZE } from '../src/catalog/model/query.ts';
import { issuingContext, productGid } from '../src/certificates/certificate-context.ts';
import { loadProductCertificate, saveDraft, startDraft } from '../src/certificates/drafts.ts';
import { issueDraft } from '../src/certificates/issue.ts';
import { acceptFindings } from '../src/findings/accept.ts';
import { findingsOf } from '../src/findings/findings.ts';
import { historyOf } from '../src/history/history.ts';
import { placeOfPage } from '../src/scan/model/places.ts';
import { createJobHarness, type JobHarness, newestScan } from '../test/job-harness.ts';

const SCANS = 200;
const FINDINGS = 500;
const ACCEPTED = 30;
const ISSUED = 30;
const BEGUN = 30;
const HOUR = 3_600_000;

/** Typical certificate fields for a bicycle helmet. */
const FIELDS = {
  product_info: {
    name: 'Bicycle helmet, adult',
    date_of_manufacture: '2026-09-14',
    place_of_manufacture: 'Shenzhen, China',
  },
  manufacturer: { name: 'Velora', address: '88 Keyuan Road, Shenzhen, China', contact_email: 'desk@velora.example' },
  testing_lab: { name: 'Pacific Test Laboratories', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

/** Populated shop, with its domain, its test harness, and the paths of the app's pages. */
export interface PopulatedShop {
  readonly harness: JobHarness;
  readonly domain: string;
  readonly pages: Readonly<Record<string, string>>;
}

/**
 * Creates a populated shop: variants from the fake Shopify (by default 5,000), 200 scans, 500 findings (some of them
 * accepted), and draft and issued certificates.
 *
 * @param databaseUrl PostgreSQL database. Defaults to SQLite.
 * @example const { harness, domain, pages } = await createPopulatedShop();
 */
export async function createPopulatedShop(variants = 5_000, databaseUrl?: string): Promise<PopulatedShop> {
  const harness = await createJobHarness(undefined, databaseUrl);
  harness.advance(-SCANS * HOUR);
  const { domain } = await harness.install(bigShop(variants));
  const shop = harness.store.shop(domain);
  await startCatalogRead(shop);
  await harness.scan(domain);
  const real = await newestScan(shop);

  // All findings are copies of findings that a real scan recorded.
  const findings: ObservedFinding[] = Array.from({ length: FINDINGS }, (_, i) => {
    const one = real.findings[i % real.findings.length]!;
    return { ...one, fingerprint: `${i}`.padStart(32, '0'), place: placeOfPage(`/products/${i % 12}`) };
  });
  const covered = Array.from({ length: 12 }, (_, i) => placeOfPage(`/products/${i}`));
  for (let i = 0; i < SCANS; i++) {
    harness.advance(HOUR);
    await shop.scans.record({
      ...{ ...real, id: `scan-${i}`, trigger: 'schedule', score: 50 + (i % 50), covered },
      startedAt: Date.now() - (SCANS - i) * HOUR,
      findings: findings.filter((_, f) => (f + i) % 20 !== 0),
    });
  }
  await acceptFindings(
    shop,
    findings.slice(100, 100 + ACCEPTED).map(({ fingerprint }) => fingerprint),
    { reason: 'Our agency asked for it', until: '' },
    { by: '1', now: Date.now() },
  );

  const merchant = harness.app.offlineContext(domain);
  const context = {
    ...issuingContext({ app: harness.app, merchant }),
    baseUrl: 'https://verify.example',
  };
  for (let number = 1; number <= ISSUED + BEGUN; number++) {
    const product = productGid(String(number));
    await startDraft(context, product);
    if (number > ISSUED) continue;
    const { id } = (await loadProductCertificate(context, product)).draft as { id: string };
    await saveDraft(context, product, id, JSON.stringify(FIELDS));
    const issued = await issueDraft(context, product, id, { agreed: true, name: 'Ada Importer', title: '' });
    if (!('issued' in issued)) throw new Error(`Certificate ${number}: ${JSON.stringify(issued)}`);
  }
  return { harness, domain, pages: await pagesOf(shop, findings[0]!) };
}

/** Returns all page paths, including each list's first, last, and filtered pages. */
async function pagesOf(shop: Shop, { fingerprint, ruleId, place }: ObservedFinding): Promise<Record<string, string>> {
  const number = (await shop.variants.list({ limit: 1 })).rows[0]!.variantId.split('/').at(-1)!;
  const last = async (of: (cursor: string | undefined) => Promise<{ readonly next: string | null }>) => {
    let cursor: string | undefined;
    for (let next: string | null | undefined = ''; next !== null; ) {
      ({ next } = await of(cursor));
      cursor = next ?? cursor;
    }
    return encodeURIComponent(cursor!);
  };
  const [lastVariants, lastFindings, lastScans] = await Promise.all([
    last(cursor => shop.variants.list({ sort: 'duty', limit: CATALOG_PAGE_SIZE, cursor })),
    last(cursor => findingsOf(shop, { status: 'open', cursor })),
    last(cursor => historyOf(shop, cursor ?? null)),
  ]);
  return {
    Home: '/app',
    Findings: '/app/findings',
    'Findings, last page': `/app/findings?cursor=${lastFindings}`,
    'Findings, filtered': `/app/findings?rule=${ruleId}&place=${encodeURIComponent(place)}`,
    'Findings, accepted': '/app/findings?status=accepted',
    Finding: `/app/findings/${fingerprint}`,
    History: '/app/history',
    'History, last page': `/app/history?cursor=${lastScans}`,
    Scan: `/app/history/scan-${SCANS - 1}`,
    'Scan, compared with the first': `/app/history/scan-${SCANS - 1}?against=scan-0`,
    Catalog: '/app/catalog',
    'Catalog, last page': `/app/catalog?cursor=${lastVariants}`,
    'Catalog, search': '/app/catalog?text=no.+12',
    'Catalog, search without results': '/app/catalog?text=nowhere',
    'Catalog, filtered': '/app/catalog?status=hit',
    'Catalog, changed': '/app/catalog?changed=yes',
    'Catalog, by title': '/app/catalog?sort=title',
    'Catalog, bulk edit': '/app/catalog/bulk',
    Variant: `/app/catalog/${number}`,
    Import: '/app/catalog/import',
    Certificates: '/app/certificates',
    'Certificates, issued': '/app/certificates?state=issued',
    'Certificates, search': '/app/certificates?q=bicycle',
    'Certificates, bulk drafts': '/app/certificates/bulk',
    'Certificate, draft': `/app/certificates/${ISSUED + 1}`,
    'Certificate, issued': '/app/certificates/1',
    Settings: '/app/settings',
  };
}
