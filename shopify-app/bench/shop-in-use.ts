import type { SeenFinding, Shop } from '@compliance/store';
import { catalogOf, startReading } from '../src/catalog/catalog.ts';
import { readAsked } from '../src/catalog/filter.ts';
import { productGid } from '../src/certificates/desk.ts';
import { issueDraft } from '../src/certificates/issue.ts';
import { beginDraft, saveDraft, standingOf } from '../src/certificates/write.ts';
import { acceptFindings } from '../src/findings/accept.ts';
import { findingsOf } from '../src/findings/findings.ts';
import { historyOf } from '../src/history/history.ts';
import { placeOfPage } from '../src/scan/places.ts';
import { createWorld, newestScan, type World } from '../src/scan/testing/world.ts';
import { bigShop } from '../stand-in/shop/samples.ts';

const VARIANTS = 5_000;
const SCANS = 200;
const FINDINGS = 500;
const ACCEPTED = 30;
const ISSUED = 30;
const BEGUN = 30;
const HOUR = 3_600_000;

/** What an importer of bicycle helmets would fill in. */
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

/** A shop whose app has been in use for a while, and the addresses of what there is to see of it. */
export interface ShopInUse {
  readonly world: World;
  readonly domain: string;
  readonly pages: Readonly<Record<string, string>>;
}

/**
 * Fills a store as a year of use does: 5,000 variants read from the stand-in, 200 scans with 500 findings, accepted ones,
 * certificates that are begun and issued.
 *
 * @example const { world, domain, pages } = await createShopInUse();
 */
export async function createShopInUse(): Promise<ShopInUse> {
  const world = await createWorld();
  world.advance(-SCANS * HOUR);
  const { domain } = await world.install(bigShop(VARIANTS));
  const shop = world.store.shop(domain);
  await startReading(shop);
  await world.scan(domain);
  const real = await newestScan(shop);

  // Everything has the shape that a real scan gave it; there is only more of it.
  const findings: SeenFinding[] = Array.from({ length: FINDINGS }, (_, i) => {
    const one = real.findings[i % real.findings.length]!;
    return { ...one, fingerprint: `${i}`.padStart(32, '0'), place: placeOfPage(`/products/${i % 12}`) };
  });
  const covered = Array.from({ length: 12 }, (_, i) => placeOfPage(`/products/${i}`));
  for (let i = 0; i < SCANS; i++) {
    world.advance(HOUR);
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

  const merchant = world.app.merchantBehind(domain);
  const desk = {
    ...{ merchant, certificates: world.store.certificates, baseUrl: 'https://verify.example', clock: Date.now },
  };
  for (let number = 1; number <= ISSUED + BEGUN; number++) {
    const product = productGid(String(number));
    await beginDraft(desk, product);
    if (number > ISSUED) continue;
    const { id } = (await standingOf(desk, product)).draft as { id: string };
    await saveDraft(desk, product, id, JSON.stringify(FIELDS));
    const issued = await issueDraft(desk, product, id, { agreed: true, name: 'Ada Importer', title: '' });
    if (!('issued' in issued)) throw new Error(`Certificate ${number}: ${JSON.stringify(issued)}`);
  }
  return { world, domain, pages: await pagesOf(shop, findings[0]!) };
}

/** Every page, and the lists at their beginning, at their end and filtered. */
async function pagesOf(shop: Shop, { fingerprint, ruleId, place }: SeenFinding): Promise<Record<string, string>> {
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
    last(cursor => catalogOf(shop, readAsked(new URLSearchParams({ cursor: cursor ?? '' })), Date.now())),
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
    'Scan, beside the first': `/app/history/scan-${SCANS - 1}?against=scan-0`,
    Catalog: '/app/catalog',
    'Catalog, last page': `/app/catalog?cursor=${lastVariants}`,
    'Catalog, search': '/app/catalog?text=no.+12',
    'Catalog, search in vain': '/app/catalog?text=nowhere',
    'Catalog, listed': '/app/catalog?status=hit',
    'Catalog, changed': '/app/catalog?changed=yes',
    Variant: `/app/catalog/${number}`,
    Import: '/app/catalog/import',
    Certificates: '/app/certificates',
    'Certificates, issued': '/app/certificates?state=issued',
    'Certificates, search': '/app/certificates?q=bicycle',
    'Certificate, begun': `/app/certificates/${ISSUED + 1}`,
    'Certificate, issued': '/app/certificates/1',
    Settings: '/app/settings',
  };
}
