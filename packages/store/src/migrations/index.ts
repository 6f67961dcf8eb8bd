import { Migrator } from 'kysely/migration';
import type { Database } from '../schema.ts';
import { up as keysLimitsUsageAudit } from './0001-keys-limits-usage-audit.ts';
import { up as certificatesIdempotency } from './0002-certificates-idempotency.ts';
import { up as waitlistOperatorAttempts } from './0003-waitlist-operator-attempts.ts';
import { up as shops } from './0004-shops.ts';

/** In the order of their names. A released migration is never changed: add the next number. */
const migrations = {
  '0001-keys-limits-usage-audit': { up: keysLimitsUsageAudit },
  '0002-certificates-idempotency': { up: certificatesIdempotency },
  '0003-waitlist-operator-attempts': { up: waitlistOperatorAttempts },
  '0004-shops': { up: shops },
};

/** Brings the tables up to date. Safe when several processes do it at the same moment: one works, the others wait. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
