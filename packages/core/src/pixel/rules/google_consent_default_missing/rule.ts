import { isLive, isPresent, ofKind, unreadContainers } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_consent_default_missing',
    title: 'Google tag without a consent default',
    severity: 'info',
    since: '2024-03',
    owner: 'theme',
    what: "The page code runs a Google tag or a container without setting a consent default. The finding is a warning if the shop serves the European Economic Area and the page doesn't have a consent tool. Pixels from the Google & YouTube app are ignored, because Shopify passes the visitor's consent choices to them.",
    why: 'Without a consent default, the tag behaves as if the visitor had given consent. Google requires consent signals for visitors from the European Economic Area.',
    fix: "Call `gtag('consent', 'default', …)` before the Google tag runs, or use the Google & YouTube app.",
    fixHeadless: "Call `gtag('consent', 'default', …)` before the Google tag runs.",
    messages: {
      missing: 'A Google tag runs without a consent default.',
      tool_might_set: "The page doesn't set a consent default, but {tool} might set one.",
    },
    sources: [
      'https://developers.google.com/tag-platform/security/guides/consent',
      'https://support.google.com/analytics/answer/13695607',
    ],
  },
  check(page, report) {
    const { facts } = page;
    const tool = facts.consentTool;
    if (ofKind(page, 'consent').some(s => s.vendor === 'google' && isPresent(s))) return;
    const tags = page.observations.filter(
      s =>
        isLive(s) &&
        ((s.kind === 'init' && s.api === 'gtag') ||
          (s.kind === 'loader' && (s.library === 'gtag' || s.library === 'gtm'))),
    );
    const at = tags.find(s => s.kind === 'init') ?? tags[0];
    if (!at) return;
    // A consent tool or a container might set the default in a file that the scan didn't read.
    const uncertain = tool !== null || facts.unfetched.length > 0 || unreadContainers(page).length > 0;
    report({
      at,
      ...(tool ? { message: 'tool_might_set', values: { tool } } : { message: 'missing' }),
      severity: facts.profile === 'eea' && tool === null ? 'warn' : 'info',
      confidence: uncertain ? 'possible' : at.confidence,
    });
  },
});
