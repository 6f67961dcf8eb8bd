import type { AdPixel } from '../../ad-pixels/ad-pixel.ts';
import { AD_PIXELS, type AdVendor } from '../../ad-pixels/ad-pixels.ts';
import { isSameOrSubdomain } from '../../html/url.ts';
import { adPixelInits, mightInitializeElsewhere } from '../../model/ad-pixel-queries.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { PageObservations } from '../../model/page-observations.ts';
import { isLive, isPresent, ofKind, webPixels } from '../../model/queries.ts';
import { defineRule, type ReportOf } from '../../model/rule.ts';
import { pixelName } from '../../model/vendor.ts';

const messages = {
  not_initialized: 'The page sends {event} to {company} but never initializes the {pixel}, so the event is lost.',
  not_initialized_unnamed:
    'The page sends an event to {company} but never initializes the {pixel}, so the event is lost.',
  not_loaded: "The page initializes {pixel} {id} but never loads {company}'s library, so the events are lost.",
  not_loaded_unknown_id:
    "The page initializes the {pixel} but never loads {company}'s library, so the events are lost.",
} as const;

export default defineRule({
  meta: {
    id: 'ad_pixel_missing_base_code',
    title: 'Ad pixel without its base code',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "Live code sends an event to TikTok, Pinterest, Klaviyo, Snapchat, Microsoft, X, Reddit, or LinkedIn, but nothing on the page initializes the vendor's pixel. The rule also reports initialization code if nothing loads the vendor's library. The finding is a note if the code first checks that the pixel exists, or if code that the scan couldn't read might complete the installation.",
    why: 'The events are lost. A call to an undefined function also throws an error, which stops the rest of the script.',
    fix: "Copy the complete base code from the vendor's ads manager, or use the vendor's Shopify app. If you no longer advertise with the vendor, delete the remaining code.",
    fixHeadless:
      "Copy the complete base code from the vendor's ads manager. If you no longer advertise with the vendor, delete the remaining code.",
    messages,
    sources: [...new Set(AD_PIXELS.map(({ sources }) => sources.calls.url))],
  },
  check(page, report) {
    const unread = mightInitializeElsewhere(page);
    for (const pixel of AD_PIXELS) {
      const missing = problemWith(page, pixel);
      if (!missing) continue;
      const { at } = missing;
      const guarded = at.guards.some(name => pixel.globals.includes(name.replace(/^window\./, '')));
      const isNote = unread || guarded || at.confidence === 'possible';
      report({ ...missing, ...(isNote && { severity: 'info' }), ...(unread && { confidence: 'possible' }) });
    }
  },
});

function problemWith(page: PageObservations, pixel: AdPixel<AdVendor>): ReportOf<typeof messages> | null {
  const { vendor, company, library } = pixel;
  const values = { pixel: pixelName(vendor), company };
  const isManaged =
    webPixels(page, vendor).length > 0 ||
    ofKind(page, 'init').some(o => o.vendor === vendor && o.state === 'config') ||
    ofKind(page, 'container_tag').some(o => o.tag.vendor === vendor && o.tag.role === 'tag' && o.state !== 'inert');
  if (isManaged) return null;
  // Another rule reports base code that never runs because of a syntax error.
  const isBroken = page.observations.some(
    o =>
      (o.kind === 'init' || o.kind === 'loader' || o.kind === 'stub') &&
      o.vendor === vendor &&
      o.state === 'never_runs' &&
      o.confidence === 'certain',
  );
  if (isBroken) return null;
  const inits = adPixelInits(page, pixel);
  const isLoaded =
    ofKind(page, 'loader').some(
      o => o.vendor === vendor && o.library === 'ad_pixel' && (isPresent(o) || o.state === 'inert'),
    ) || ofKind(page, 'script_tag').some(o => library.hosts.some(host => isSameOrSubdomain(o.host, host)));
  if (inits.length === 0) {
    // A library whose URL contains the ID doesn't need an initialization call.
    const at = isLoaded && library.idIn ? undefined : firstEvent(page, vendor);
    return at
      ? {
          at,
          ...(at.name === null
            ? { message: 'not_initialized_unnamed', values }
            : { message: 'not_initialized', values: { ...values, event: at.name } }),
          variant: 'not_initialized',
        }
      : null;
  }
  // A page that defines the vendor's queue function usually also loads the library, perhaps from another host.
  if (isLoaded || ofKind(page, 'stub').some(o => o.vendor === vendor)) return null;
  const known = inits.find(({ at }) => isLive(at));
  if (!known) return null;
  const id = known.id?.slice(0, 60);
  return {
    at: known.at,
    ...(id ? { message: 'not_loaded', values: { ...values, id } } : { message: 'not_loaded_unknown_id', values }),
    ids: id ? [id] : [],
    variant: 'not_loaded',
  };
}

/**
 * Returns the vendor's first live event that probably runs or, if there's no such event, the vendor's first live event.
 */
function firstEvent(page: PageObservations, vendor: AdVendor): ObservationOf<'event'> | undefined {
  const events = ofKind(page, 'event').filter(o => o.vendor === vendor && isLive(o));
  return events.find(o => o.confidence !== 'possible') ?? events[0];
}
