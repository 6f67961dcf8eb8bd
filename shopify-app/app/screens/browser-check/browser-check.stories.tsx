import type { BrowserCheckView, SeenCheck } from '../../../src/browser-check/browser-check.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { storiesOf } from '../testing/story.ts';
import { BrowserCheck } from './browser-check.tsx';

const AT = Date.UTC(2026, 10, 20, 7, 30);
const step = (changes: Partial<SeenCheck['steps'][number]>): SeenCheck['steps'][number] => ({
  ...{ phase: 'load', step: 'page', decision: null, skipped: null, complete: true, requests: 12, stored: 3 },
  ...changes,
});
const journey = (phase: 'deny' | 'accept') =>
  (['page', 'product', 'add_to_cart', 'cart', 'search'] as const).map(each =>
    step({ phase, step: each, decision: 'banner' }),
  );

export const seen: SeenCheck = {
  ...{ at: AT, isPartial: false, score: 86, staticScore: 74, events: 9, cut: null },
  verdicts: { confirmed: 2, refuted: 1, unseen: 4 },
  steps: [step({}), ...journey('deny'), ...journey('accept')],
  traffic: [
    { code: 'sent_after_denial', severity: 'warn', vendor: 'Meta', id: '123456789012345' },
    { code: 'dead_request', severity: 'warn', vendor: 'Hotjar', id: null },
    { code: 'unknown_tag', severity: 'info', vendor: 'Google', id: 'G-ABCDEFGH12' },
  ],
  sent: null,
};
export const view: BrowserCheckView = {
  ...{ timeZone: 'America/New_York', on: true, availability: 'available', checking: false, unseen: null, seen },
};
const partial: SeenCheck = {
  ...{ ...seen, isPartial: true, traffic: [] },
  steps: [
    step({ complete: false }),
    step({ phase: 'deny', decision: 'none' }),
    step({ phase: 'deny', step: 'product', decision: 'none', skipped: 'not_found' }),
    step({ phase: 'accept', decision: 'shopify' }),
    step({ phase: 'accept', step: 'add_to_cart', decision: 'shopify', skipped: 'personal_data' }),
    step({ phase: 'accept', step: 'cart', decision: 'shopify', skipped: 'robots' }),
    step({ phase: 'accept', step: 'search', decision: 'shopify', skipped: 'robots' }),
  ],
};

export const browserCheck = (view: BrowserCheckView) => <BrowserCheck {...view} />;

/** Browser check stories, each with its expected text. */
export const STORIES = storiesOf(browserCheck, [
  [
    'with a complete check',
    view,
    [
      '86 / 100, measured in a browser',
      'Checked Nov 20, 2026, 2:30',
      'Complete',
      '74 / 100, based on the code alone',
      '2 findings confirmed',
      '1 finding refuted. Refuted findings describe problems that didn’t occur in the browser check, so these findings aren’t counted and don’t generate alerts. View refuted findings',
      '4 findings neither confirmed nor refuted',
      'Warning Meta 123456789012345: sends events after the visitor declines tracking',
      'Warning Hotjar: sends requests that fail',
      'Before consent Home page: 12 requests, 3 cookies and storage entries',
      'After declining We submitted this choice through the consent banner.',
      'Search: 12 requests',
      'We never open checkout, customer account, or order pages.',
    ],
  ],
  [
    'with the events of each step',
    {
      ...view,
      seen: {
        ...seen,
        sent: [
          { phase: 'load', step: 'page', vendor: 'Meta', event: 'PageView', count: 2 },
          { phase: 'accept', step: 'add_to_cart', vendor: 'Google', event: 'add_to_cart', count: 1 },
          { phase: 'accept', step: 'add_to_cart', vendor: 'TikTok', event: null, count: 1 },
        ],
      },
    },
    ['3 cookies and storage entries · Meta PageView × 2', '· Google add_to_cart · TikTok'],
  ],
  [
    'with a partial check',
    { ...view, seen: partial },
    [
      'Partial',
      'No problems found in the steps that we checked.',
      'Home page: 12 requests, 3 cookies and storage entries, incomplete',
      'After declining We couldn’t submit this choice through a consent banner',
      'Product page: skipped (not found)',
      'Add to cart: skipped (the form asks for personal data)',
      'Cart: skipped (not allowed by robots.txt)',
      'After accepting We submitted this choice through Shopify’s Customer Privacy API.',
      'We skipped these steps because robots.txt blocks them: Cart, Search.',
      'Skipped: Product page, Add to cart.',
      'These steps are incomplete, so events might be missing: Home page.',
      'We couldn’t check the effect of consent',
    ],
  ],
  ...(
    [
      ['memory', 'The browser used too much memory'],
      ['processes', 'The browser started too many processes'],
      ['time', 'The check took too long'],
      ['requests', 'The storefront sent too many requests'],
      ['crash', 'The browser crashed'],
    ] as const
  ).map(([cut, text]): [string, BrowserCheckView, readonly string[]] => [
    `that ended early (${cut})`,
    { ...view, seen: { ...partial, cut } },
    [text],
  ]),
  [
    'without a scan to compare with',
    { ...view, seen: { ...seen, score: null, staticScore: null, verdicts: { confirmed: 0, refuted: 0, unseen: 0 } } },
    ['No score yet', '0 findings refuted'],
  ],
  ['without any check', { ...view, seen: null }, ['We haven’t checked your storefront in a browser yet.']],
  [
    'with a password-protected storefront',
    { ...view, unseen: { at: AT, reason: 'password' }, seen: null },
    ['Not checked on Nov 20, 2026, 2:30', 'Your storefront is password protected'],
  ],
  [
    'with a storefront that didn’t respond, and an earlier check',
    { ...view, unseen: { at: AT, reason: 'timed_out' } },
    ['Not checked on', 'We couldn’t open your storefront: timed out.', 'measured in a browser'],
  ],
  ['during a check', { ...view, checking: true }, ['A browser check is running.']],
  ['turned off', { ...view, on: false, seen: null }, ['Browser checks are off', 'Go to settings']],
  [
    'turned on, but no longer offered',
    { ...view, availability: 'off' },
    ['Browser checks aren’t available because the app operator hasn’t turned them on.'],
  ],
  [
    'with hostile names',
    {
      ...view,
      seen: {
        ...seen,
        traffic: [
          { code: 'unknown_tag', severity: 'info', vendor: 'Meta', id: HOSTILE.word },
          { code: 'unknown_tag', severity: 'info', vendor: 'Meta', id: HOSTILE.markup },
        ],
        sent: [{ phase: 'load', step: 'page', vendor: 'Meta', event: HOSTILE.word, count: 1 }],
      },
    },
    [HOSTILE.word, HOSTILE.markup],
  ],
]);
