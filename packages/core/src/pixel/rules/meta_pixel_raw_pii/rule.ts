import { isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

const HASHED = /^[0-9a-f]{64}$/i;

export default defineRule({
  meta: {
    id: 'meta_pixel_raw_pii',
    title: 'Customer data passed to the pixel in plain text',
    severity: 'warn',
    since: null,
    owner: 'theme',
    singleFile: true,
    what: 'Code passes personal data, such as an email address, a phone number, or a name, to the pixel in plain text. The finding is more severe if the data is in an image URL, where it must be hashed.',
    why: "Every script on the page can read the data, and a cached page can show one customer's data to another. Meta's script hashes the values passed to `init`, but a request for the pixel image sends the values without hashing them.",
    fix: 'Use automatic advanced matching in the Facebook & Instagram app.',
    fixHeadless: 'Hash the values on the server before they reach the page.',
    messages: {
      in_code: 'Code passes personal data to the pixel in plain text ({fields}).',
      in_image_url: 'An image URL contains personal data in plain text ({fields}).',
    },
    sources: ['https://developers.facebook.com/docs/meta-pixel/advanced/advanced-matching'],
  },
  check(page, report) {
    for (const at of page.observations) {
      if ((at.kind !== 'init' && at.kind !== 'event') || at.vendor !== 'meta' || at.pii.length === 0 || !isPresent(at))
        continue;
      report({
        at,
        message: 'in_code',
        values: { fields: at.pii },
        ids: at.pii,
      });
    }
    for (const at of ofKind(page, 'beacon')) {
      if (at.api !== 'pixel') continue;
      const keys = Object.entries(at.params).flatMap(([key, value]) => {
        const name = /^ud\[(\w{1,20})\]$/.exec(key)?.[1];
        return name && value && !HASHED.test(value) ? [name] : [];
      });
      if (keys.length > 0)
        report({
          at,
          message: 'in_image_url',
          values: { fields: keys },
          ids: keys,
          severity: 'error',
        });
    }
  },
});
