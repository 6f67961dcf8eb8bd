import { expect, it } from 'vitest';
import { registerAttempts } from './attempts.ts';
import { registerAudit } from './audit.ts';
import { registerCertificateSearch } from './certificate-search.ts';
import { registerCertificates } from './certificates.ts';
import { registerIdempotency } from './idempotency.ts';
import { registerKeys } from './keys.ts';
import { registerLimits } from './limits.ts';
import { registerNomenclatures } from './nomenclatures.ts';
import { registerOperator } from './operator.ts';
import { registerShop } from './shop/index.ts';
import { registerUsage } from './usage.ts';
import { registerWaitlist } from './waitlist.ts';
import { createWorld, type OpenFresh } from './world.ts';

/** Registers the tests that every engine must pass alike. */
export function registerBattery(openFresh: OpenFresh): void {
  const world = createWorld(openFresh);

  registerKeys(world);
  registerLimits(world);
  registerUsage(world);
  registerAudit(world);
  registerNomenclatures(world);
  registerCertificates(world);
  registerCertificateSearch(world);
  registerIdempotency(world);
  registerWaitlist(world);
  registerOperator(world);
  registerAttempts(world);
  registerShop(world);

  it('does everything at once without a deadlock', async () => {
    const { key, record } = await world.issue();
    const everything = Array.from({ length: 20 }, (_, i) => [
      world.issue(`${i}`),
      world.store.limits.take(record.family),
      world.store.usage.record({ keyId: record.id, operation: 'tariff' }),
      world.store.keys.authenticate(key),
      world.store.keys.update(record.id, { note: `${i}`, actor: 'operator' }),
      world.store.audit.list({ limit: 5 }),
      world.store.certificates.issue({
        family: record.family,
        record: '{}',
        pdf: Buffer.from(`%PDF-${i}`),
        actor: 'key',
      }),
      world.store.idempotency.begin({ family: record.family, operation: 'o', key: `${i % 3}`, fingerprint: 'f' }),
    ]);
    await Promise.all(everything.flat());
    expect(await world.store.keys.list()).toHaveLength(21);
    expect(await world.store.usage.daily({ days: 1 })).toMatchObject([{ count: 20 }]);
  });

  it('is ready while open, not afterwards, and closes twice', async () => {
    await world.store.ready();
    await world.store.close();
    await world.store.close();
    await expect(world.store.ready()).rejects.toMatchObject({ code: 'database_unavailable' });
  });
}
