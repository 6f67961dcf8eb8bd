import type { AddObservation } from '../model/observation.ts';
import { entry, exactText, type Value } from '../script/value.ts';
import { tagId } from '../vendors/tag-id.ts';

const items = (value: Value | undefined): readonly Value[] => (value?.kind === 'list' ? value.items : []);

/**
 * Records the tags in the `trekkie.load` argument. These tags are set in Online Store › Preferences or by older channel
 * apps. Returns whether the argument's Meta pixel also sends server events.
 */
export function readTrekkie(settings: Value | undefined, add: AddObservation): boolean {
  const addInit = (vendor: 'meta' | 'google' | 'pinterest' | 'tiktok', value: Value | undefined): void => {
    if (value)
      add({ kind: 'init', vendor, api: 'preferences', id: tagId(value), pageView: true, pii: [], emitter: 'shopify' });
  };
  const facebook = entry(settings, 'Facebook Pixel');
  for (const id of items(entry(facebook, 'pixelIds'))) addInit('meta', id);
  addInit('google', entry(entry(settings, 'Google Analytics'), 'trackingId'));
  addInit('google', entry(entry(settings, 'Google Gtag Pixel'), 'conversionId'));
  addInit('pinterest', entry(entry(settings, 'Pinterest Pixel'), 'pixelId'));
  addInit('tiktok', entry(entry(settings, 'TikTok Pixel'), 'pixelId'));
  return (
    isTrue(entry(entry(settings, 'S2S'), 'facebookCapiEnabled')) || isTrue(entry(facebook, 'conversionsAPIEnabled'))
  );
}

const isTrue = (value: Value | undefined): boolean =>
  (value?.kind === 'literal' && value.value === true) || exactText(value) === 'true';
