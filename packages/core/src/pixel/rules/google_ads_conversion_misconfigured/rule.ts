import { leastConfident } from '../../model/execution.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { PageObservations } from '../../model/page-observations.ts';
import { isInContainer, isPresent, ofKind, targetsOf, unreadContainers, webPixels } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_ads_conversion_misconfigured',
    title: 'Google Ads conversion without a label or a configured ID',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "In the `missing_label` variant, which is more severe, a `conversion` event that doesn’t specify a conversion label is sent to a Google Ads ID. In the `not_configured` variant, an event is sent to a Google Ads ID that the page doesn't configure. The confidence is `possible` if the ID might be configured by a Google tag, by an app, or in a container that the scan didn't read.",
    why: "Google Ads doesn't count a conversion without a label. If the page doesn't configure the ID, the Google tag doesn't store ad clicks for the account, so Google Ads can't attribute the conversion to an ad.",
    fix: "Send the event to the ID and label from the event snippet, such as `AW-123456789/AbC-D_efG`, and call `gtag('config', 'AW-123456789')` on every page.",
    messages: {
      missing_label: 'A conversion is sent to {id} without a conversion label.',
      not_configured: "An event is sent to {target}, but the page doesn't configure {id}.",
    },
    sources: [
      'https://support.google.com/google-ads/answer/7548399',
      'https://developers.google.com/tag-platform/gtagjs/configure',
    ],
  },
  check(page, report) {
    const configured = configuredIds(page);
    const isUncertain = mayBeConfigured(page);
    for (const at of ofKind(page, 'event')) {
      if (at.vendor !== 'google' || at.method !== 'event' || !isPresent(at)) continue;
      for (const target of targetsOf(at)) {
        const [, id, label] = /^(AW-\d{6,14})(?:\/(.*))?$/.exec(target) ?? [];
        if (id === undefined) continue;
        if (at.name === 'conversion' && !label)
          report({
            at,
            message: 'missing_label',
            values: { id },
            ids: [id],
            variant: 'missing_label',
            severity: 'error',
          });
        // In a container, a conversion tag doesn't need a configured ID.
        if (isInContainer(at) || configured.has(id) || configured.has(null)) continue;
        report({
          at,
          message: 'not_configured',
          values: { target: target.slice(0, 60), id },
          ids: [id],
          variant: 'not_configured',
          confidence: leastConfident(at.confidence, isUncertain ? 'possible' : 'likely'),
        });
      }
    }
  },
});

/** Returns the Google IDs that the page configures or loads. The set contains `null` if an ID can't be resolved. */
function configuredIds(page: PageObservations): Set<string | null> {
  const inits = ofKind(page, 'init').filter(o => o.vendor === 'google' && isPresent(o));
  const loaders = ofKind(page, 'loader').filter(o => o.library === 'gtag' && isPresent(o));
  const tags = ofKind(page, 'container_tag').flatMap(({ tag }) => (tag.vendor === 'google' ? tag.ids.values : []));
  return new Set([...inits.map(o => o.id.value), ...loaders.map(o => o.id), ...tags]);
}

/** Returns whether code that the scan can't read might configure another ID. */
function mayBeConfigured(page: PageObservations): boolean {
  if (page.facts.hasUnreadScripts || page.facts.truncated || unreadContainers(page).length > 0) return true;
  if (webPixels(page, 'google').length > 0) return true;
  // A Google tag can have additional destinations, which are listed in its own container.
  const read = new Set(ofKind(page, 'container').map((o: ObservationOf<'container'>) => o.id));
  return ofKind(page, 'init').some(o => o.vendor === 'google' && isPresent(o) && !read.has(o.id.value));
}
