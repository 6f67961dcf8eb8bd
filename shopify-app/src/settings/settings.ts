import type { Shop, ShopSettings } from '@compliance/store/shop';
import { z } from 'zod';
import {
  ALERT_EMAIL,
  ALERT_TIMES,
  type AlertSettings,
  alertSettingsOf,
  emailAddress,
  setAlertSettings,
} from '../alerts/alert.ts';
import { type Billing, type Plan, planOf } from '../billing/plan.ts';
import { rowOf } from '../findings/findings.ts';
import { RENDER, RENDERING_SETTING, type RenderingAvailability, wantsRendering } from '../scan/model/rendering.ts';
import { translationFor } from '../translation/translation.ts';

/** App languages. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;

/** Available retention periods for scans, in days. */
const RETENTION_DAYS = [30, 90, 180, 365, 730] as const;

/** Maximum number of accepted findings on the settings page. The findings list shows all accepted findings. */
const ACCEPTED = 25;

/** The app's access scopes. The app requests optional scopes when it needs them. */
const SCOPES = [
  ...['read_products', 'read_themes'].map(scope => ({ scope, optional: false })),
  ...['write_products', 'write_inventory', 'write_files'].map(scope => ({ scope, optional: true })),
];

/** Content of the settings page. Times are in milliseconds since the Unix epoch. */
export interface SettingsView {
  readonly domain: string;
  readonly timeZone: string;
  readonly schedule: ShopSettings['schedule'];
  readonly nextScanAt: number | null;
  readonly retentionDays: number;
  readonly retentionChoices: readonly number[];
  readonly alerts: AlertSettings & {
    /** Whether the operator has configured an SMTP server. */
    readonly available: boolean;
    /** Whether the last email couldn't be delivered. */
    readonly failed: boolean;
  };
  /** The shop's plan, or null if billing is off. */
  readonly plan: Plan | null;
  readonly rendering: {
    /** Whether the merchant has turned on browser checks. */
    readonly on: boolean;
    readonly availability: RenderingAvailability;
  };
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

/** Operator settings that the settings page shows. */
export interface OperatorSettings {
  readonly contact: string | null;
  readonly canSendMail: boolean;
  readonly rendering: RenderingAvailability;
  readonly billing: Billing | null;
}

/**
 * Returns the settings page content, using only stored data.
 *
 * @param requested language of the request. The language in the shop's settings takes precedence.
 */
export async function settingsOf(
  shop: Shop,
  { contact, canSendMail, rendering, billing }: OperatorSettings,
  requested: string | null = null,
): Promise<SettingsView> {
  const [record, lastEmail, accepted] = await Promise.all([
    shop.record(),
    shop.jobs.latest(ALERT_EMAIL),
    shop.findings.list({ status: 'open', accepted: true, limit: ACCEPTED }),
  ]);
  const { schedule = 'off', retentionDays = 365, locale = null } = record?.settings ?? {};
  const translation = translationFor(locale ?? requested);
  const granted = new Set(record?.scopes);
  return {
    ...{ domain: shop.domain, schedule, retentionDays, locale, languages: LANGUAGES, contact },
    timeZone: record?.timeZone ?? 'UTC',
    nextScanAt: record?.nextScanAt ?? null,
    alerts: {
      ...alertSettingsOf(record),
      available: canSendMail,
      failed: lastEmail?.error != null && lastEmail.state !== 'done',
    },
    plan: planOf(record, billing),
    rendering: { on: wantsRendering(record), availability: rendering },
    retentionChoices: [...new Set([...RETENTION_DAYS, retentionDays])].sort((a, b) => a - b),
    accepted: accepted.rows.map(known => {
      const { fingerprint, title, place } = rowOf(known, translation);
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
  rendering: z.enum(['on', 'off']),
});

const alertForm = z
  .object({ alertsWhen: z.enum(ALERT_TIMES), alertsEmail: z.union([z.literal(''), emailAddress]) })
  .refine(({ alertsWhen, alertsEmail }) => alertsWhen === 'off' || alertsEmail !== '');

/**
 * Saves the alert settings.
 *
 * @returns false if the form is invalid, for example because alerts are on but the email address is missing
 * @example
 * await saveAlertSettings(shop, { alertsWhen: 'daily', alertsEmail: 'anna@example.com' }, Date.now());
 */
export async function saveAlertSettings(
  shop: Shop,
  fields: Readonly<Record<string, unknown>>,
  now: number,
): Promise<boolean> {
  const read = alertForm.safeParse(fields);
  if (!read.success) return false;
  const { alertsWhen, alertsEmail } = read.data;
  await setAlertSettings(shop, { when: alertsWhen, email: alertsEmail || null }, now);
  return true;
}

/**
 * Saves the merchant's choices. Omitted fields keep their values. If any field is invalid, no setting changes. Turning
 * off browser checks deletes their results, so refuted findings count again.
 *
 * @returns true if settings were saved, or false if a field is invalid or all fields are omitted
 * @example
 * await saveSettings(shop, { schedule: 'weekly' });
 */
export async function saveSettings(shop: Shop, fields: Readonly<Record<string, unknown>>): Promise<boolean> {
  const read = form.partial().safeParse(fields);
  if (!read.success) return false;
  const { schedule, retentionDays, locale, rendering } = read.data;
  const chosen = {
    ...(schedule && { schedule }),
    ...(retentionDays && { retentionDays }),
    ...(locale !== undefined && { locale: locale || null }),
    ...(rendering && { [RENDERING_SETTING]: rendering === 'on' }),
  };
  if (Object.keys(chosen).length === 0) return false;
  await shop.setSettings(chosen);
  if (rendering === 'off') {
    // Cancel the jobs first, so that no job can record a result after the renderings are cleared.
    await shop.jobs.cancel([RENDER]);
    await shop.renderings.clear();
  }
  return true;
}
