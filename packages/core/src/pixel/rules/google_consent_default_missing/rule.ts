import { isLive, isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'google_consent_default_missing',
    title: 'Google measures without a consent default',
    severity: 'info',
    since: '2024-03',
    owner: 'theme',
    what: "The code of the page runs a Google tag or a container, and sets no consent default. A warning for shops that serve the European Economic Area. Google's app takes consent from Shopify and is not meant here.",
    why: 'Without a default the tag behaves as if consent were given. Google requires consent signals for visitors from the European Economic Area.',
    fix: 'Set gtag("consent", "default", …) before the tag, or use the Google & YouTube app.',
    fixHeadless: 'Set gtag("consent", "default", …) before the tag.',
    sources: [
      'https://developers.google.com/tag-platform/security/guides/consent',
      'https://support.google.com/analytics/answer/13695607',
    ],
  },
  check(evidence, report) {
    const { facts } = evidence;
    const tool = facts.consentTool;
    if (ofKind(evidence, 'consent').some(s => s.vendor === 'google' && isPresent(s))) return;
    const tags = evidence.sightings.filter(
      s =>
        isLive(s) &&
        ((s.kind === 'init' && s.api === 'gtag') ||
          (s.kind === 'loader' && (s.library === 'gtag' || s.library === 'gtm'))),
    );
    const at = tags.find(s => s.kind === 'init') ?? tags[0];
    if (!at) return;
    // A consent tool may set the default from a file that is not part of the page.
    const unsure = tool !== null || facts.unfetched.length > 0;
    const message = tool
      ? `No consent default is set in the page; ${tool} may set it.`
      : 'Google measures without a consent default.';
    report({
      at,
      message,
      severity: facts.profile === 'eea' && tool === null ? 'warn' : 'info',
      confidence: unsure ? 'possible' : at.confidence,
    });
  },
});
