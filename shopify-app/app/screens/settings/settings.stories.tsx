import type { SettingsView } from '../../../src/settings/settings.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { type Story, storiesOf } from '../testing/story.ts';
import { Erased } from './erase.tsx';
import { Settings, type SettingsProps } from './settings.tsx';

const AT = Date.UTC(2026, 10, 20, 15, 30);
const accepted: SettingsView['accepted'][number] = {
  ...{
    fingerprint: 'a',
    title: 'Old tag',
    place: 'snippets/tracking.liquid',
    reason: 'Our agency needs it',
    until: null,
  },
};
const PRICING = 'https://admin.shopify.com/store/found-goods/charges/portfolio-compliance/pricing_plans';
const SCOPES = ['read_products', 'read_themes', 'write_products', 'write_inventory', 'write_files'];
const scopes = (granted: readonly string[]): SettingsView['scopes'] =>
  SCOPES.map((scope, index) => ({ scope, optional: index > 1, granted: granted.includes(scope) }));

export const view: SettingsView = {
  domain: 'found-goods.myshopify.com',
  timeZone: 'America/New_York',
  ...{ schedule: 'weekly', nextScanAt: AT, retentionDays: 365, retentionChoices: [30, 90, 180, 365, 730] },
  alerts: { when: 'off', email: null, available: true, failed: false },
  plan: null,
  rendering: { on: false, availability: 'available' },
  ...{ locale: null, languages: ['en', 'de', 'fr', 'es', 'ja'] },
  ...{
    accepted: [],
    moreAccepted: false,
    scopes: scopes(SCOPES.slice(0, 2)),
    contact: 'https://operator.example/help',
  },
};

export const settings = (view: SettingsView, props: Partial<SettingsProps> = {}) => (
  <Settings
    {...{ ...view, saving: null, saved: null, savingAlerts: false, alertsSaved: null, erasing: 'no', ...props }}
    onSaveAlerts={() => {}}
    onChange={() => {}}
    onErase={() => {}}
  />
);
const story = (name: string, props: Partial<SettingsProps>, ...texts: readonly string[]): Story => ({
  ...{ name, screen: settings(view, props), texts },
});

/** Settings screen stories, each with its expected text. */
export const STORIES: readonly Story[] = [
  ...storiesOf(settings, [
    [
      'with weekly scans',
      view,
      [
        'Next scan: Nov 20, 2026, 10:30',
        'You haven’t accepted any findings.',
        'Customers and orders: the app can’t access this data.',
        'Download all data (JSON Lines)',
        'read_products : read your catalog Granted',
        'write_files : add certificates to Files Requested when needed',
        'It doesn’t give legal, customs, or tax advice',
        'Contact the app operator',
        'Type found-goods.myshopify.com to confirm',
      ],
    ],
    ...(
      [
        ['founding', null, 'Founding member Your store is a founding member'],
        ['active', 'Pro', 'Pro Active Test Shopify bills you for this plan.'],
        ['none', null, 'No plan Scheduled scans'],
        ['unknown', null, 'Not checked yet'],
      ] as const
    ).map(
      ([status, name, text]) =>
        [
          `with the plan status ${status}`,
          { ...view, plan: { status, name, test: name !== null, pricingUrl: PRICING } },
          [text],
        ] as const,
    ),
    [
      'with a daily digest',
      { ...view, alerts: { when: 'daily', email: 'anna@found-goods.example', available: true, failed: false } },
      ['Email alerts', 'Section 232 lists change the result for any of your variants', 'Daily digest'],
    ],
    [
      'with an email that couldn’t be delivered',
      { ...view, alerts: { when: 'at_once', email: 'anna@found-goods.example', available: true, failed: true } },
      ['We couldn’t deliver your last alert'],
    ],
    [
      'without an SMTP server',
      { ...view, alerts: { when: 'off', email: null, available: false, failed: false } },
      ['Alerts aren’t available because the app operator hasn’t set up email.'],
    ],
    [
      'with browser checks',
      { ...view, rendering: { on: true, availability: 'available' } },
      ['Browser check Open your storefront in an isolated browser', 'View browser check'],
    ],
    ...(
      [
        ['off', 'the app operator hasn’t turned them on'],
        ['no_package', 'the app operator hasn’t installed the renderer'],
        ['no_browser', 'the app’s server couldn’t start a browser'],
        ['no_isolation', 'the app’s server can’t run a browser in isolation'],
      ] as const
    ).map(([availability, reason]): [string, SettingsView, readonly string[]] => [
      `without browser checks (${availability})`,
      { ...view, rendering: { on: false, availability } },
      [`Browser checks aren’t available because ${reason}.`],
    ]),
    ['without automatic scans', { ...view, schedule: 'off', nextScanAt: null }, ['No scans are scheduled.']],
    [
      'without permission to read the theme',
      { ...view, scopes: scopes(['read_products']) },
      ['read_themes : read your theme files Not granted. Reopen the app.'],
    ],
    ['with all permissions', { ...view, scopes: scopes(SCOPES) }, ['write_files : add certificates to Files Granted']],
    [
      'with a selected language and without a contact',
      { ...view, locale: 'ja', contact: null, retentionDays: 30 },
      ['Japanese'],
    ],
    [
      'with accepted findings',
      { ...view, accepted: [accepted, { ...accepted, fingerprint: 'b', title: 'Two pixels', place: null, until: AT }] },
      [
        'Old tag snippets/tracking.liquid · Our agency needs it',
        'Two pixels Our agency needs it · until Nov 20, 2026',
        'Undo',
      ],
    ],
    [
      'with more accepted findings than the list shows',
      {
        ...view,
        accepted: Array.from({ length: 25 }, (_, index) => ({ ...accepted, fingerprint: `${index}` })),
        moreAccepted: true,
      },
      ['View all accepted findings'],
    ],
    [
      'with hostile text',
      {
        ...view,
        accepted: [
          { ...accepted, place: HOSTILE.markup, reason: HOSTILE.reversed },
          { ...accepted, fingerprint: 'b', place: HOSTILE.word, reason: HOSTILE.word },
        ],
      },
      [`${HOSTILE.markup} · ${HOSTILE.reversed}`, `${HOSTILE.word} · ${HOSTILE.word}`],
    ],
  ]),
  story('while saving', { saving: { schedule: 'daily' } }, 'Saving…'),
  story('after saving', { saved: true }, 'Saved'),
  story('after a failed save', { saved: false }, 'We couldn’t save this change. Reload the page and try again.'),
  story('after saving invalid alert settings', { alertsSaved: false }, 'Enter a valid email address.'),
  story('while deleting', { erasing: 'busy' }, 'Delete all data'),
  story('with the wrong domain', { erasing: 'refused' }, 'This doesn’t match your store’s domain.'),
  story('after a failed deletion', { erasing: 'failed' }, 'We couldn’t delete your data. Wait a moment and try again.'),
  {
    name: 'after deletion',
    screen: <Erased />,
    texts: ['All data deleted', 'You can now uninstall the app in your Shopify admin.'],
  },
];
