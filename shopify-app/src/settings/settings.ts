import type { Shop, ShopSettings } from '@compliance/store/shop';
import { z } from 'zod';
import { rowOf } from '../findings/findings.ts';

/** App languages. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;

/** Available retention periods for scans, in days. */
const RETENTION_DAYS = [30, 90, 180, 365, 730] as const;

/** Maximum number of accepted findings on the settings page. The findings list shows all accepted findings. */
const ACCEPTED = 25;

/** The app's access scopes. The app requests optional scopes when it needs them. */
const SCOPES = [
  ...['read_products', 'read_themes'].map(scope => ({ scope, optional: false })),
  ...['write_products', 'write_inventory', 'write_files', 'read_script_tags'].map(scope => ({ scope, optional: true })),
];

/** Content of the settings page. Times are in milliseconds since the Unix epoch. */
export interface SettingsView {
  readonly domain: string;
  readonly timeZone: string;
  readonly schedule: ShopSettings['schedule'];
  readonly nextScanAt: number | null;
  readonly retentionDays: number;
  readonly retentionChoices: readonly number[];
  /** Selected language, or null to use the Shopify admin's language. */
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
  /** Operator's contact URL, which can be a mailto URL. */
  readonly contact: string | null;
}

/** Returns the settings page content, using only stored data. */
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
      // A write scope includes the read scope.
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
 * Saves the merchant's choices. Omitted fields keep their values. If any field is invalid, no setting changes.
 *
 * @returns whether any setting changed
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
