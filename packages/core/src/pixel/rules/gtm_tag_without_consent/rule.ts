import type { ObservationOf } from '../../model/observation.ts';
import { groupBy, isInContainer, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { byVendorName, type Vendor, vendorName } from '../../model/vendor.ts';

/**
 * Matches the event name or a condition of a trigger that depends on consent, such as a custom event that a consent
 * banner sends.
 */
const CONSENT = /consent|cookie|opt[-_ ]?in|gdpr|privacy|cmp|onetrust|optanon|didomi|usercentrics|iubenda|axeptio/i;

const dependsOnConsent = ({ tag }: ObservationOf<'container_tag'>): boolean =>
  [...tag.triggers, ...tag.exceptions].some(
    ({ event, conditions }) => CONSENT.test(event ?? '') || conditions.some(({ text }) => CONSENT.test(text)),
  );

export default defineRule({
  meta: {
    id: 'gtm_tag_without_consent',
    title: 'Container tags without consent settings',
    severity: 'info',
    since: null,
    owner: 'gtm',
    what: "A container runs tags from vendors other than Google when the page loads. The tags have no consent settings, and their triggers don't depend on consent. The finding is a warning if the shop serves the European Economic Area and the page doesn't have a consent tool.",
    why: "Google's tags check consent themselves, but other tags run before the visitor consents unless the container delays them.",
    fix: 'In Tag Manager, open the consent settings of each tag, and require consent for `ad_storage` or for the consent types that apply to the tag.',
    messages: {
      one: 'In container {container}, 1 tag ({vendors}) runs on page load without consent settings.',
      several: 'In container {container}, {count} tags ({vendors}) run on page load without consent settings.',
      one_unknown_id: 'In one of the page’s containers, 1 tag ({vendors}) runs on page load without consent settings.',
      several_unknown_id: 'In a container, {count} tags ({vendors}) run on page load without consent settings.',
    },
    sources: ['https://support.google.com/tagmanager/answer/10718549'],
  },
  check(page, report) {
    const { facts } = page;
    const vendors = new Map<string, Set<Vendor>>();
    for (const s of page.observations) {
      if (!isInContainer(s) || (s.kind !== 'init' && s.kind !== 'event' && s.kind !== 'beacon')) continue;
      if (s.vendor === 'google' || s.vendor === 'gtm') continue;
      vendors.set(s.where.source, (vendors.get(s.where.source) ?? new Set()).add(s.vendor));
    }
    const tags = ofKind(page, 'container_tag').filter(
      s => s.state === 'run' && s.tag.consent === null && vendors.has(s.where.source) && !dependsOnConsent(s),
    );
    for (const [container, all] of groupBy(tags, s => s.container ?? '')) {
      const found = new Set(all.flatMap(s => [...vendors.get(s.where.source)!]));
      const values = { vendors: [...found].sort(byVendorName).map(vendorName) };
      const count = all.length;
      report({
        at: all[0]!,
        ...(container
          ? count === 1
            ? { message: 'one', values: { ...values, container } }
            : { message: 'several', values: { ...values, container, count } }
          : count === 1
            ? { message: 'one_unknown_id', values }
            : { message: 'several_unknown_id', values: { ...values, count } }),
        ids: container ? [container] : [],
        severity: facts.profile === 'eea' && facts.consentTool === null ? 'warn' : 'info',
        // A consent tool can also block tags in ways that aren't visible in the container.
        ...(facts.consentTool !== null && { confidence: 'possible' }),
      });
    }
  },
});
