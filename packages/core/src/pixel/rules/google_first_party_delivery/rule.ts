import { isSameOrSubdomain } from '../../html/url.ts';
import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_first_party_delivery',
    title: 'Google library loaded from a non-Google host',
    severity: 'info',
    since: null,
    owner: 'theme',
    what: "The page loads a container or the Google tag from a non-Google host. The host might be a server container or a tag gateway, or the file might have been copied to the theme's assets. The finding is a warning if the file was copied.",
    why: 'A page without requests to `googletagmanager.com` can still use Google tags. A copied file never receives updates.',
    fix: "Replace a copied file with Google's loader. If you use a server container or a tag gateway on purpose, no fix is needed.",
    messages: {
      gtm_copied:
        'Tag Manager is loaded from a copy of its script in the theme assets. The copy isn’t updated automatically.',
      gtag_copied:
        'The Google tag is loaded from a copy of its script in the theme assets. The copy isn’t updated automatically.',
      gtm_host: 'Tag Manager is loaded from {host}.',
      gtag_host: 'The Google tag is loaded from {host}.',
    },
    sources: [
      'https://developers.google.com/tag-platform/tag-manager/server-side',
      'https://developers.google.com/tag-platform/tag-manager/gateway',
    ],
  },
  check(page, report) {
    const reported = new Set<string>();
    for (const at of ofKind(page, 'loader')) {
      if (
        at.official ||
        (at.library !== 'gtm' && at.library !== 'gtag') ||
        !isPresent(at) ||
        at.path.startsWith('/cdn-cgi/')
      )
        continue;
      // If the scan can't read a container's URL, the host is unknown.
      if (at.host === '' || reported.has(at.host + at.path)) continue;
      reported.add(at.host + at.path);
      const copied = isSameOrSubdomain(at.host, 'cdn.shopify.com') || /\/assets\/|\/cdn\/shop\//.test(at.path);
      report({
        at,
        ...(copied
          ? { message: `${at.library}_copied` }
          : { message: `${at.library}_host`, values: { host: at.host } }),
        ids: at.id ? [at.id] : [],
        severity: copied ? 'warn' : 'info',
      });
    }
  },
});
