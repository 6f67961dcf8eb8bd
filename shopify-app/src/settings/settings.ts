import type { Shop, ShopSettings } from '@compliance/store';
import { z } from 'zod';
import { rowOf } from '../findings/findings.ts';

/** The languages that the app speaks. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;

/** For how many days scans may be kept. */
const RETENTION_DAYS = [30, 90, 180, 365, 730] as const;

/** How many accepted findings are listed; the list of findings has all. */
const ACCEPTED = 25;

/** The scopes that the app works with. The optional ones are asked for at the moment of use. */
const SCOPES = [
  ...['read_products', 'read_themes'].map(scope => ({ scope, optional: false })),
  ...['write_products', 'write_inventory', 'write_files', 'read_script_tags'].map(scope => ({ scope, optional: true })),
];

/** What the settings show. Times are ms since epoch. */
export interface SettingsView {
  readonly domain: string;
  readonly timeZone: string;
  readonly schedule: ShopSettings['schedule'];
  readonly nextScanAt: number | null;
  readonly retentionDays: number;
  readonly retentionChoices: readonly number[];
  /** Null: the language of Shopify's admin. */
  readonly locale: string | null;
  readonly languages: readonly string[];
  readonly accepted: readonly {
    readonly fingerprint: string;
    readonly title: string;
    readonly place: string | null;
    readonly reason: string;
    readonly until: number | null;
  }[];
  readonly moreAccepted: boolean;
  readonly scopes: readonly { readonly scope: string; readonly optional: boolean; readonly granted: boolean }[];
  /** Page or address of whoever runs the app. */
  readonly contact: string | null;
}

/** Everything that the page of settings shows, from what is stored alone. */
export async function settingsOf(shop: Shop, contact: string | null): Promise<SettingsView> {
  const [record, accepted] = await Promise.all([
    shop.record(),
    shop.findings.list({ status: 'open', accepted: true, limit: ACCEPTED }),
  ]);
  const { schedule = 'off', retentionDays = 365, locale = null } = record?.settings ?? {};
  const granted = new Set(record?.scopes);
  return {
    ...{ domain: shop.domain, schedule, retentionDays, locale, languages: LANGUAGES, contact },
    timeZone: record?.timeZone ?? 'UTC',
    nextScanAt: record?.nextScanAt ?? null,
    retentionChoices: [...new Set([...RETENTION_DAYS, retentionDays])].sort((a, b) => a - b),
    accepted: accepted.rows.map(known => {
      const { fingerprint, title, place } = rowOf(known);
      const { reason = '', until = null } = known.acceptance ?? {};
      return { fingerprint, title, place, reason, until };
    }),
    moreAccepted: accepted.next !== null,
    scopes: SCOPES.map(one => ({
      ...one,
      // Whoever may write may read.
      granted: granted.has(one.scope) || granted.has(one.scope.replace('read_', 'write_')),
    })),
  };
}

const form = z.object({
  schedule: z.enum(['off', 'daily', 'weekly']),
  retentionDays: z.coerce.number().pipe(z.literal([...RETENTION_DAYS])),
  locale: z.enum(['', ...LANGUAGES]),
});

/**
 * Keeps what a merchant chose. Fields that are left out or have a value that is none of the choices stay as they are.
 *
 * @returns whether anything was changed
 * @example
 * await saveSettings(shop, { schedule: 'weekly' });
 */
export async function saveSettings(shop: Shop, fields: Readonly<Record<string, unknown>>): Promise<boolean> {
  const read = form.partial().safeParse(fields);
  if (!read.success) return false;
  const { schedule, retentionDays, locale } = read.data;
  const chosen = {
    ...(schedule && { schedule }),
    ...(retentionDays && { retentionDays }),
    ...(locale !== undefined && { locale: locale || null }),
  };
  if (Object.keys(chosen).length === 0) return false;
  await shop.setSettings(chosen);
  return true;
}
