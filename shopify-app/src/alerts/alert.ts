import type { NewAlert, Shop, ShopRecord } from '@compliance/store/shop';
import { z } from 'zod';
import { MORNING, nextDailyRun } from '../lib/daily-window.ts';

/** Type of the job that emails alerts. */
export const ALERT_EMAIL = 'alert_email';

/** Type of the job that sends events to Shopify Flow. */
export const FLOW_TRIGGERS = 'flow_triggers';

/** Key of the merchant's alert settings in the shop's settings. */
const SETTING = 'alerts';

/** When alerts are sent: `off` (never), `at_once` (immediately after an event), or `daily` (in a morning digest). */
export const ALERT_TIMES = ['off', 'at_once', 'daily'] as const;

/** Email address that alerts can be sent to. */
export const emailAddress = z.email().max(254);

const settings = z.object({ when: z.enum(ALERT_TIMES), email: emailAddress.nullable() });

/** Merchant's alert settings. Without an address, no alerts are sent. */
export type AlertSettings = z.infer<typeof settings>;

/** Reads the alert settings from a shop's settings. Alerts are off by default. */
export const alertSettingsOf = (record: ShopRecord | null): AlertSettings =>
  settings.safeParse(record?.settings[SETTING]).data ?? { when: 'off', email: null };

/** Stores the alert settings. Pending alerts are sent at the new time, or discarded if alerts are off. */
export async function setAlertSettings(shop: Shop, chosen: AlertSettings, now: number): Promise<void> {
  const record = await shop.setSettings({ [SETTING]: chosen });
  if (isOff(chosen)) await shop.alerts.end('all');
  else await shop.jobs.enqueue(emailJob(record, now));
}

/** New problem that the last scan found. */
interface ErrorDetail {
  /** Alerts recorded by earlier releases don't have this field. */
  readonly ruleId?: string;
  /** Rule title in English. */
  readonly title: string;
  /** File or page with the problem, or null. */
  readonly place: string | null;
  readonly fingerprint: string;
}

/** Change to the tariff lists that affects variants in the catalog. */
interface TariffDetail {
  readonly version: string;
  /** Date of the lookup, YYYY-MM-DD. */
  readonly on: string;
  readonly variants: readonly {
    readonly title: string;
    readonly code: string | null;
    /** Previous and new status, or null if only the rate, date, or conditions changed. */
    readonly change: { readonly from: string; readonly to: string } | null;
    /** Current status. Alerts recorded by earlier releases have none of the optional fields. */
    readonly status?: string;
    /** Rates before and after, as returned by `summarizeRates`. A rate is null if no listing covers the code. */
    readonly rate?: { readonly from: string | null; readonly to: string | null };
    /** Numeric IDs, as used in URLs. */
    readonly product?: string;
    readonly variant?: string;
    /** Start date of the duty, YYYY-MM-DD, or null. */
    readonly since: string | null;
  }[];
  /** Whether the change affects more variants than `variants` contains. */
  readonly more: boolean;
}

/** Certificate that needs the merchant's attention. */
interface CertificateDetail {
  /** Product title, or null if the product is no longer in the catalog. */
  readonly title: string | null;
  /** Numeric product ID, as used in URLs. */
  readonly product: string;
  readonly certificate: string;
}

/** Event that triggers an alert, with the alert's content. */
export type AlertEvent =
  | { readonly kind: 'error'; readonly detail: ErrorDetail }
  | { readonly kind: 'tariff'; readonly detail: TariffDetail }
  | { readonly kind: 'certificate_incomplete' | 'certificate_superseded'; readonly detail: CertificateDetail }
  | {
      readonly kind: 'certificate_retest';
      /** `due` is the deadline for the next test, YYYY-MM-DD. */
      readonly detail: CertificateDetail & { readonly rule: string; readonly due: string };
    };

/**
 * Records events, and schedules the jobs that send them by email and to Shopify Flow. Each event is recorded once per
 * channel, no matter how many processes report it. Doesn't schedule an email if the merchant has turned alerts off.
 *
 * @param now time of the events, in milliseconds since the Unix epoch
 * @param options `notBefore` is the earliest time to send the events, by default `now`
 * @example
 * await recordAlerts(shop, clock(), [{ key: `error:${fingerprint}`, kind: 'error', detail }]);
 */
export async function recordAlerts(
  shop: Shop,
  now: number,
  events: readonly (AlertEvent & Pick<NewAlert, 'key'>)[],
  { notBefore = now }: { readonly notBefore?: number } = {},
): Promise<void> {
  if (events.length === 0) return;
  const record = await shop.record();
  if (record === null) return;
  const flowJob = { kind: FLOW_TRIGGERS, runAt: notBefore, maxAttempts: 10, whileRunning: 'again' } as const;
  await shop.flowTriggers.record(events.flatMap(flowEventsOf), flowJob);
  if (isOff(alertSettingsOf(record))) return;
  const job = emailJob(record, now);
  await shop.alerts.record(events, { ...job, runAt: Math.max(job.runAt, notBefore) });
}

/** Splits a change to the tariff lists into one event per variant, because each workflow run handles one product. */
function flowEventsOf(event: AlertEvent & Pick<NewAlert, 'key'>): (AlertEvent & Pick<NewAlert, 'key'>)[] {
  if (event.kind !== 'tariff') return [event];
  const { key, kind, detail } = event;
  return detail.variants.map(one => ({
    ...{ key: `${key}:${one.variant}`, kind },
    detail: { ...detail, variants: [one] },
  }));
}

const isOff = ({ when, email }: AlertSettings): boolean => when === 'off' || email === null;

const emailJob = (record: ShopRecord, now: number) => ({
  kind: ALERT_EMAIL,
  runAt: alertSettingsOf(record).when === 'daily' ? nextDailyRun(now, record.shop, record.timeZone, MORNING) : now,
  maxAttempts: 10,
  whileRunning: 'again' as const,
});
