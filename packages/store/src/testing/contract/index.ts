import { expect, it } from 'vitest';
import { registerAttempts } from './attempts.ts';
import { registerAudit } from './audit.ts';
import { registerBulkJobs } from './bulk-jobs.ts';
import { registerCertificateSearch } from './certificate-search.ts';
import { registerCertificates } from './certificates.ts';
import { registerClock } from './clock.ts';
import { createHarness, type OpenFresh } from './harness.ts';
import { registerIdempotency } from './idempotency.ts';
import { registerKeys } from './keys.ts';
import { registerLimits } from './limits.ts';
import { registerNomenclatures } from './nomenclatures.ts';
import { registerOperator } from './operator.ts';
import { registerTargetRate } from './target-rate.ts';
import { registerUsage } from './usage.ts';
import { registerWaitlist } from './waitlist.ts';
import { registerWatches } from './watches.ts';

/** Registers the tests that the service's store must pass on every engine. */
export function registerStoreContract(openFresh: OpenFresh): void {
  const harness = createHarness(openFresh);

  registerKeys(harness);
  registerLimits(harness);
  registerUsage(harness);
  registerAudit(harness);
  registerNomenclatures(harness);
  registerCertificates(harness);
  registerCertificateSearch(harness);
  registerIdempotency(harness);
  registerWaitlist(harness);
  registerOperator(harness);
  registerAttempts(harness);
  registerClock(harness);
  registerTargetRate(harness);
  registerWatches(harness);
  registerBulkJobs(harness);

  it('completes concurrent calls to different store functions without a deadlock', async () => {
    const { key, record } = await harness.issue();
    const everything = Array.from({ length: 20 }, (_, i) => [
      harness.issue(`${i}`),
      harness.store.limits.take(record.family),
      harness.store.usage.record({ keyId: record.id, operation: 'tariff' }),
      harness.store.keys.authenticate(key),
      harness.store.keys.update(record.id, { note: `${i}`, actor: 'operator' }),
      harness.store.audit.list({ limit: 5 }),
      harness.store.certificates.issue({
        family: record.family,
        record: '{}',
        pdf: Buffer.from(`%PDF-${i}`),
        actor: 'key',
      }),
      harness.store.idempotency.begin({ family: record.family, operation: 'o', key: `${i % 3}`, fingerprint: 'f' }),
    ]);
    await Promise.all(everything.flat());
    expect(await harness.store.keys.list()).toHaveLength(21);
    expect(await harness.store.usage.daily({ days: 1 })).toMatchObject([{ count: 20 }]);
  });

  it('checks the store’s health by writing to the database and the PDF storage', async () => {
    expect(await harness.store.health()).toEqual({ database: null, pdfs: null });
    await harness.store.attempts.take('another, which deletes ended windows', { quota: 1, windowMs: 1 });
    expect(await harness.store.sql("select name from attempts where name = 'health check'")).toEqual([]);
  });

  it('reports that the store is ready until it’s closed, and allows `close` to be called twice', async () => {
    await harness.store.ready();
    await harness.store.close();
    await harness.store.close();
    await expect(harness.store.ready()).rejects.toMatchObject({ code: 'database_unavailable' });
  });
}
