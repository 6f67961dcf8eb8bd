import type { ObservationOf } from '../../model/observation.ts';
import { groupBy, isInContainer, isLive, lowestConfidence, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

/** Returns where a tag outside the container is set up. */
const otherPlace = ({ api, channel }: ObservationOf<'init'>) =>
  api === 'preferences' ? 'preferences' : channel === 'theme' ? 'theme' : 'app';

export default defineRule({
  meta: {
    id: 'gtm_tag_duplicate',
    title: 'Container tag also runs outside the container',
    severity: 'error',
    since: null,
    owner: 'gtm',
    what: "A tag in a container has the same ID as a Meta pixel or Google tag in the store preferences, or as another vendor's pixel in the theme or an app. The finding is a warning for vendors other than Meta and Google.",
    why: 'If both tags send the same event, such as a page view or a purchase, the event is counted twice.',
    fix: 'Keep one of the tags. Shopify recommends the app pixel, because it respects customer privacy settings.',
    messages: {
      preferences:
        '{vendor} tag {id} is set up in both the Tag Manager container and the store preferences, so an event that both tags send is counted twice.',
      theme:
        '{vendor} tag {id} is set up in both the Tag Manager container and the theme, so an event that both tags send is counted twice.',
      app: '{vendor} tag {id} is set up in both the Tag Manager container and an app, so events that both send are counted twice.',
    },
    sources: ['https://help.shopify.com/en/manual/promoting-marketing/pixels/pixel-migration'],
  },
  check(page, report) {
    const inits = ofKind(page, 'init').filter(s => isLive(s) || s.state === 'config');
    const byTag = groupBy(inits, s =>
      s.id.value === null || s.id.value.startsWith('UA-') ? null : `${s.vendor} ${s.id.value}`,
    );
    for (const all of byTag.values()) {
      const at = all.find(isInContainer);
      if (!at) continue;
      const isMajor = at.vendor === 'meta' || at.vendor === 'google';
      // Other rules report Meta pixels and Google tags that also run in the theme or in an app.
      const other = all.find(s => !isInContainer(s) && (!isMajor || s.api === 'preferences'));
      if (!other) continue;
      const id = at.id.value!;
      report({
        at,
        message: otherPlace(other),
        values: { vendor: vendorName(at.vendor), id },
        ids: [id],
        confidence: lowestConfidence(at, other),
        ...(!isMajor && { severity: 'warn' }),
      });
    }
  },
});
