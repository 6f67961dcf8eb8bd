import type { ObservedFinding, ScanSummary, Shop } from '@compliance/store/shop';
import { recordAlerts } from '../alerts/alert.ts';
import { ruleTitleIn, translationFor } from '../translation/translation.ts';
import { readPlace } from './model/places.ts';

/** Maximum number of errors to report per scan. If a scan finds more errors, an entire page is most likely broken. */
const MAX_ERRORS = 20;

/** Delay, in milliseconds, that gives a browser time to confirm or refute the errors before alerts are sent. */
const RENDERING_MS = 600_000;

/**
 * Records an alert for each new or reappeared error in a scan, up to `MAX_ERRORS` alerts. If a browser check follows
 * the scan, delays the alerts by 10 minutes, so that the browser can confirm or refute the errors.
 *
 * @returns whether the scan found any new or reappeared errors
 */
export async function recordErrorAlerts(
  shop: Shop,
  now: number,
  { id, changes }: ScanSummary,
  findings: readonly ObservedFinding[],
  { rendersNext }: { readonly rendersNext: boolean },
): Promise<boolean> {
  const isNew = new Set([...changes.new, ...changes.regressed]);
  const errors = new Map(
    findings
      .filter(({ severity, fingerprint }) => severity === 'error' && isNew.has(fingerprint))
      .map(one => [one.fingerprint, one]),
  );
  const english = translationFor(null);
  const events = [...errors.values()].slice(0, MAX_ERRORS).map(({ fingerprint, ruleId, place }) => ({
    key: `error:${fingerprint}:${id}`,
    kind: 'error' as const,
    detail: { ruleId, title: ruleTitleIn(ruleId, english), place: readPlace(place).name, fingerprint },
  }));
  await recordAlerts(shop, now, events, { notBefore: rendersNext ? now + RENDERING_MS : now });
  return events.length > 0;
}
