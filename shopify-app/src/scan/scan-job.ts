import type { Scanner } from '@compliance/crawler';
import type { Pool } from '@compliance/crawler/pool';
import type { Shop } from '@compliance/store';
import { AdminFailed } from '../admin/admin.ts';
import type { JobKind, JobTools } from '../jobs/job.ts';
import { plain } from '../plain.ts';
import { type Conclusion, conclude } from './conclude.ts';
import { refreshShop } from './refresh-shop.ts';
import { readStorefront } from './storefront/read-storefront.ts';
import { readTheme } from './theme/read-theme.ts';
import type { ScanInventory, ScanOutcome, ScanProgress, ScanRequest } from './types.ts';

/** What a scan works with besides the shop. */
export interface ScanDoors {
  readonly scanner: Scanner;
  /** Where the files of a theme are scanned, each at its own cost. */
  readonly pool: Pool;
  readonly clock: () => number;
}

/** The word for the job that scans a store. */
export const SCAN = 'scan';

/**
 * The job that scans a store: its storefront and the code of its published theme, recorded as one scan under the id of the job.
 * What could not be read is part of the scan. A job that is run again after its worker died records nothing twice.
 */
export const scanJob = ({ scanner, pool, clock }: ScanDoors): JobKind => ({
  kind: SCAN,
  async run({ job, merchant, signal, report }: JobTools): Promise<ScanOutcome> {
    const startedAt = clock();
    const asOf = new Date(startedAt).toISOString().slice(0, 10);
    const say = (step: ScanProgress['step']) => (done: number, total: number) =>
      report({ step, done, total } satisfies ScanProgress);

    say('shop')(0, 0);
    const { origin, host, scopes, product, shut } = await refreshShop(merchant, signal);
    const known = await whatIsKnown(merchant.shop);
    const readings = await readStorefront({
      ...{ scanner, origin, asOf, signal },
      product: product === undefined ? known.product : product,
      openPlaces: known.openPlaces,
      report: say('storefront'),
    });
    signal.throwIfAborted();
    const theme = await readTheme({ admin: merchant.admin, scopes, pool, host, asOf, signal, report: say('theme') });
    signal.throwIfAborted();

    say('settling')(0, 0);
    const { fault } = theme.coverage;
    const over = shut ?? (fault === 'revoked' || fault === 'frozen' ? fault : null);
    // Texts of the store were cut to be quoted.
    const text = JSON.stringify(conclude({ host, readings, theme, shut: over, ...known }));
    const conclusion = JSON.parse(text, plain) as Conclusion;
    const { trigger } = job.payload as ScanRequest;
    const { state, score } = await merchant.shop.scans.record({ id: job.id, trigger, startedAt, ...conclusion });
    const { id } = theme.coverage.theme ?? {};
    if (id !== undefined && theme.coverage.state === 'read') {
      await merchant.shop.themeFiles.replace(
        id,
        theme.files.map(({ name, checksum }) => ({ name, checksum })),
      );
    }
    // What could be read is kept; that the app is shut out is for the worker to settle.
    if (over) throw new AdminFailed(over, SCAN);
    return { scanId: job.id, state, score };
  },
});

/** What earlier scans left behind. */
async function whatIsKnown(shop: Shop) {
  const [latest, { byPlace }, accepted] = await Promise.all([
    shop.scans.latest(),
    shop.findings.counts(),
    shop.findings.list({ status: 'open', accepted: true, limit: 1000 }),
  ]);
  const before = latest && (await shop.scans.get(latest.id));
  const previous = (before?.inventory ?? null) as ScanInventory | null;
  return {
    previous,
    product: previous?.pages.find(({ kind }) => kind === 'product')?.path,
    openPlaces: byPlace.map(({ place }) => place),
    accepted: new Set(accepted.rows.map(({ fingerprint }) => fingerprint)),
  };
}
