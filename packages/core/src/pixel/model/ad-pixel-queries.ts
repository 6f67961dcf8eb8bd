import type { AdPixel } from '../ad-pixels/ad-pixel.ts';
import type { AdVendor } from '../ad-pixels/ad-pixels.ts';
import type { ObservationOf } from './observation.ts';
import type { PageObservations } from './page-observations.ts';
import { isPresent, isScriptElement, ofKind, unreadContainers } from './queries.ts';

/** A call that initializes an ad pixel, or a library whose URL contains the pixel's ID. */
export interface AdPixelInit {
  readonly at: ObservationOf<'init' | 'loader'>;
  /** `null` if the ID can't be resolved. */
  readonly id: string | null;
}

/**
 * Returns where the page's code and containers initialize a pixel. If no call initializes the pixel, returns the
 * loaders whose library URL contains the ID. If code loads the library, script elements for the library aren't counted,
 * because the code might have added them.
 */
export function adPixelInits(page: PageObservations, { vendor, library }: AdPixel<AdVendor>): AdPixelInit[] {
  const calls = ofKind(page, 'init').filter(o => o.vendor === vendor && o.api === 'other' && isPresent(o));
  if (calls.length > 0 || !library.idIn) return calls.map(at => ({ at, id: at.id.value }));
  const loaders = ofKind(page, 'loader').filter(
    o => o.vendor === vendor && o.library === 'ad_pixel' && o.id !== null && isPresent(o),
  );
  const added = loaders.filter(o => !isScriptElement(o));
  return (added.length > 0 ? added : loaders).map(at => ({ at, id: at.id }));
}

/**
 * Returns whether code that the scan couldn't read might initialize a pixel. Such code can be in a script, a container,
 * an app's script, or a template that could belong to any vendor.
 */
export const mightInitializeElsewhere = (page: PageObservations): boolean =>
  page.facts.truncated ||
  page.facts.hasUnreadScripts ||
  page.facts.addsUnreadScripts ||
  page.facts.unfetched.length > 0 ||
  unreadContainers(page).length > 0 ||
  ofKind(page, 'script_tag').length > 0 ||
  ofKind(page, 'container_tag').some(o => o.tag.template && o.tag.vendor === null && o.state !== 'inert');
