import type { Value } from '../script/value.ts';
import { entry, exactText } from '../script/value.ts';
import { seenId } from '../vendors/meta.ts';
import type { Add } from '../vendors/report.ts';

const items = (value: Value | undefined): readonly Value[] => (value?.kind === 'list' ? value.items : []);

/**
 * Reads the argument of `trekkie.load`: the tags a shop set in Online Store › Preferences or through older channel apps.
 * Returns whether the Meta pixel there is set to send server events as well.
 */
export function readTrekkie(settings: Value | undefined, add: Add): boolean {
  const put = (vendor: 'meta' | 'google' | 'pinterest' | 'tiktok', value: Value | undefined): void => {
    if (value)
      add({ kind: 'init', vendor, api: 'preferences', id: seenId(value), pageView: true, pii: [], emitter: 'shopify' });
  };
  const facebook = entry(settings, 'Facebook Pixel');
  for (const id of items(entry(facebook, 'pixelIds'))) put('meta', id);
  put('google', entry(entry(settings, 'Google Analytics'), 'trackingId'));
  put('google', entry(entry(settings, 'Google Gtag Pixel'), 'conversionId'));
  put('pinterest', entry(entry(settings, 'Pinterest Pixel'), 'pixelId'));
  put('tiktok', entry(entry(settings, 'TikTok Pixel'), 'pixelId'));
  return (
    isTrue(entry(entry(settings, 'S2S'), 'facebookCapiEnabled')) || isTrue(entry(facebook, 'conversionsAPIEnabled'))
  );
}

const isTrue = (value: Value | undefined): boolean =>
  (value?.kind === 'literal' && value.value === true) || exactText(value) === 'true';
