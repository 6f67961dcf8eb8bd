import { isPresent, ofKind } from '../../evidence/queries.ts';
import { isUnder } from '../../html/url.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'google_first_party_delivery',
    title: "A Google library comes from the shop's own address",
    severity: 'info',
    since: null,
    owner: 'theme',
    what: 'A container or the Google tag is loaded from another host than Google: a server container, a tag gateway, or (a warning) a copied file among the theme assets.',
    why: 'No request to googletagmanager.com does not mean no Google. A copied file is never updated.',
    fix: 'Nothing, if it is meant. Replace a copied file by the loader of Google.',
    sources: [
      'https://developers.google.com/tag-platform/tag-manager/server-side',
      'https://developers.google.com/tag-platform/tag-manager/gateway',
    ],
  },
  check(evidence, report) {
    const told = new Set<string>();
    for (const at of ofKind(evidence, 'loader')) {
      if (
        at.official ||
        (at.library !== 'gtm' && at.library !== 'gtag') ||
        !isPresent(at) ||
        at.path.startsWith('/cdn-cgi/')
      )
        continue;
      // A container whose address could not be read says nothing about where it comes from.
      if (at.host === '' || told.has(at.host + at.path)) continue;
      told.add(at.host + at.path);
      const copied = isUnder(at.host, 'cdn.shopify.com') || /\/assets\/|\/cdn\/shop\//.test(at.path);
      const what = at.library === 'gtm' ? 'Tag Manager' : 'The Google tag';
      const message = copied
        ? `${what} is a copied file among the assets, which is never updated.`
        : `${what} is loaded from ${at.host}.`;
      report({ at, message, ids: at.id ? [at.id] : [], severity: copied ? 'warn' : 'info' });
    }
  },
});
