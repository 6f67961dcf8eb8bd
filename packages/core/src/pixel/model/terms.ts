import { ID_FORMATS, ID_NOUNS } from '../ad-pixels/ad-pixel.ts';
import { AD_PIXELS, type AdVendor } from '../ad-pixels/ad-pixels.ts';

/** Phrases in messages, in English. A phrase can contain parameters in braces, such as `{id}`. */
export const MESSAGE_TERMS = {
  ...(Object.fromEntries(AD_PIXELS.map(({ vendor, name }) => [`ad_pixel_${vendor}`, name])) as Readonly<
    Record<`ad_pixel_${AdVendor}`, ''>
  >),
  ...ID_NOUNS,
  ...ID_FORMATS,
  other: 'Other',
  other_vendor: 'other vendor',
  named_container: 'Container {id}',
  unnamed_container: 'A container',
  container_with_unknown_id: 'with an unknown ID',
  unreadable_container: '{id} (unreadable container: {reason})',
  container_tag: 'tag {number} ({type})',
  one_universal_tag: '1 Universal Analytics tag',
  several_universal_tags: '{count} Universal Analytics tags',
  base_code: '{vendor} base code',
  base_code_with_ids: '{vendor} base code ({ids})',
  unnamed_event: 'an unnamed event',
  one_more_event: '1 more event',
  more_events: '{count} more events',
  meta_purchase: 'The Meta Purchase event',
  google_purchase: 'The Google purchase event',
  google_ads_conversion: 'The Google Ads conversion {id}',
  channel_changed: 'channel changed from {before} to {after}',
  state_changed: 'state changed from {before} to {after}',
  position_changed: 'position changed from {before} to {after}',
  loader_host_changed: 'loader host changed from {before} to {after}',
  theme_changed: 'the theme changed from {before} to {after}',
  theme_changed_from_unknown: 'the theme changed from an unknown theme to {after}',
} as const;
