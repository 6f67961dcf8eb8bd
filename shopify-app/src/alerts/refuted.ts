import type { Alert, Shop } from '@compliance/store/shop';
import type { AlertEvent } from './alert.ts';

/** Removes alerts about findings that a browser has since refuted. */
export async function withoutRefuted(shop: Shop, alerts: readonly Alert[]): Promise<readonly Alert[]> {
  const kept = await Promise.all(
    alerts.map(async ({ kind, detail }) => {
      const event = { kind, detail } as AlertEvent;
      return event.kind !== 'error' || !(await shop.findings.get(event.detail.fingerprint))?.refuted;
    }),
  );
  return alerts.filter((_, index) => kept[index]);
}
