import { isPresent, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

const HASHED = /^[0-9a-f]{64}$/i;

export default defineRule({
  meta: {
    id: 'meta_pixel_raw_pii',
    title: "A customer's data stands readable in the page",
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The pixel is given an e-mail address, a phone number or a name as plain text. In the address of an image, where it must be hashed, it is an error.',
    why: "Every script on the page can read it, and a cached page can show one customer's data to another. Meta's script hashes what `init` is given; an image sends it as it is.",
    fix: 'Use automatic advanced matching in the Facebook & Instagram app.',
    fixHeadless: 'Hash the values on the server before they reach the page.',
    sources: ['https://developers.facebook.com/docs/meta-pixel/advanced/advanced-matching'],
  },
  check(evidence, report) {
    for (const at of evidence.sightings) {
      if ((at.kind !== 'init' && at.kind !== 'event') || at.vendor !== 'meta' || at.pii.length === 0 || !isPresent(at))
        continue;
      report({ at, message: `The pixel is given plain personal data (${at.pii.join(', ')}).`, ids: at.pii });
    }
    for (const at of ofKind(evidence, 'beacon')) {
      if (at.api !== 'pixel') continue;
      const keys = Object.entries(at.params).flatMap(([key, value]) => {
        const name = /^ud\[(\w{1,20})\]$/.exec(key)?.[1];
        return name && value && !HASHED.test(value) ? [name] : [];
      });
      if (keys.length > 0)
        report({
          at,
          message: `An image address holds plain personal data (${keys.join(', ')}).`,
          ids: keys,
          severity: 'error',
        });
    }
  },
});
