import type { PageObservations } from '../model/page-observations.ts';
import { ofKind } from '../model/queries.ts';

/**
 * Returns the IDs of the Meta pixels for which, according to the page, Shopify also sends events from its servers.
 * These are the pixels in the Facebook & Instagram app and, if server events are on, the pixel in Shopify's
 * preferences. The `meta_pixel_missing_event_id` rule uses the same evidence.
 */
export function serverEventIds(page: PageObservations): string[] {
  const ofApps = ofKind(page, 'web_pixel').flatMap(({ vendor, ids }) => (vendor === 'meta' ? ids : []));
  const preferences = page.facts.metaServerEvents
    ? ofKind(page, 'init').flatMap(({ vendor, channel, id }) =>
        vendor === 'meta' && channel === 'trekkie' && id.value !== null ? [id.value] : [],
      )
    : [];
  return [...new Set([...ofApps, ...preferences])].sort();
}
