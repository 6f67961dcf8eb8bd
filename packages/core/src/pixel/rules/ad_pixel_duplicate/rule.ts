import { AD_PIXELS } from '../../ad-pixels/ad-pixels.ts';
import { adPixelInits } from '../../model/ad-pixel-queries.ts';
import type { ObservationContext } from '../../model/observation.ts';
import { coexisting, groupBy, isInContainer, isLive, lowestConfidence, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { pixelName } from '../../model/vendor.ts';

const placeKey = ({ where }: ObservationContext): string => [where.source, where.line, where.column].join(' ');

export default defineRule({
  meta: {
    id: 'ad_pixel_duplicate',
    title: 'Same ad pixel set up more than once',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The page’s code initializes the same TikTok, Pinterest, Klaviyo, Snapchat, Microsoft, X, Reddit, or LinkedIn pixel more than once, or the theme runs a pixel that is also set up in an app or in the store preferences. The finding is a note if the copies might not send duplicate events.',
    why: "Visits and conversions are counted more than once, which distorts the vendor's reports and bidding.",
    fix: "Keep one copy of the base code. If the vendor's Shopify app runs the pixel, delete the base code from the theme.",
    fixHeadless: 'Keep one copy of the base code.',
    messages: {
      repeated: '{pixel} {id} is initialized {count} times.',
      repeated_page_views: '{pixel} {id} is initialized {count} times, so page views are sent more than once.',
      theme_and_preferences:
        '{pixel} {id} is set up in both the theme and the store preferences, so events that both send are counted twice.',
      theme_and_app: '{pixel} {id} is set up in both the theme and an app, so events that both send are counted twice.',
    },
    sources: ['https://developers.pinterest.com/docs/api-features/pinterest-tag/'],
  },
  check(page, report) {
    for (const pixel of AD_PIXELS) {
      const { vendor, events, initSendsPageView } = pixel;
      const configured = new Map(
        ofKind(page, 'init').flatMap(o => (o.vendor === vendor && o.state === 'config' ? [[o.id.value, o]] : [])),
      );
      const views = ofKind(page, 'event').filter(
        o =>
          o.vendor === vendor &&
          isLive(o) &&
          (o.method === 'page' || (events?.kind === 'names' && o.name !== null && o.name === events.pageView)),
      );
      const inits = adPixelInits(page, pixel).filter(({ at, id }) => id && isLive(at));
      for (const [id, all] of groupBy(inits, init => init.id)) {
        const shown = id.slice(0, 60);
        const places = all.map(({ at }) => at);
        // Another rule reports a pixel that runs both in a container and elsewhere.
        const outside = coexisting(places.filter(at => !isInContainer(at)));
        const repeated = outside.length > 0 ? outside : coexisting(places);
        const [first, second] = repeated;
        if (first && second) {
          const confidence = lowestConfidence(first, second);
          // If the same code runs twice, it might contain a check that prevents a second initialization.
          const isSameCode = placeKey(first) === placeKey(second);
          const sendsTwice = initSendsPageView || coexisting(views).length > 1;
          const isNote = isSameCode || confidence === 'possible' || !sendsTwice;
          report({
            at: second,
            message: sendsTwice ? 'repeated_page_views' : 'repeated',
            values: { pixel: pixelName(vendor), id: shown, count: repeated.length },
            ids: [shown],
            ...(isNote && { severity: 'info' }),
            confidence: isSameCode ? 'possible' : confidence,
          });
        }
        const other = configured.get(id);
        const [at] = outside;
        if (!other || !at) continue;
        report({
          at,
          message: other.api === 'preferences' ? 'theme_and_preferences' : 'theme_and_app',
          values: { pixel: pixelName(vendor), id: shown },
          ids: [shown],
          variant: 'app',
          confidence: lowestConfidence(at, other),
        });
      }
    }
  },
});
