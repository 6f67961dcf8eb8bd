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
const SCOPES = ['read_products', 'read_themes', 'write_products', 'write_inventory', 'write_files', 'read_script_tags'];
const scopes = (granted: readonly string[]): SettingsView['scopes'] =>
  SCOPES.map((scope, index) => ({ scope, optional: index > 1, granted: granted.includes(scope) }));

export const view: SettingsView = {
  domain: 'found-goods.myshopify.com',
  timeZone: 'America/New_York',
  ...{ schedule: 'weekly', nextScanAt: AT, retentionDays: 365, retentionChoices: [30, 90, 180, 365, 730] },
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
    {...{ ...view, saving: false, saved: null, erasing: 'no', ...props }}
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
    ['without automatic scans', { ...view, schedule: 'off', nextScanAt: null }, ['No scan is scheduled.']],
    [
      'without permission to read the theme',
      { ...view, scopes: scopes(['read_products']) },
      ['read_themes : read your theme files Not granted. Reopen the app.'],
    ],
    [
      'with all permissions',
      { ...view, scopes: scopes(SCOPES) },
      ['read_script_tags : find scripts added by older apps Granted'],
    ],
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
  story('while saving', { saving: true }, 'Saving…'),
  story('after saving', { saved: true }, 'Saved'),
  story('after a failed save', { saved: false }, 'We couldn’t save this change. Reload the page and try again.'),
  story('while deleting', { erasing: 'busy' }, 'Delete all data'),
  story('with the wrong domain', { erasing: 'refused' }, 'This doesn’t match your store’s domain.'),
  story('after a failed deletion', { erasing: 'failed' }, 'We couldn’t delete your data. Wait a moment and try again.'),
  {
    name: 'after deletion',
    screen: <Erased />,
    texts: ['All data deleted', 'You can now uninstall the app in your Shopify admin.'],
  },
];
