import type { SettingsView } from '../../../src/settings/settings.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { type State, statesOf } from '../testing/state.ts';
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
  ...{ accepted: [], moreAccepted: false, scopes: scopes(SCOPES.slice(0, 2)), contact: 'https://runner.example/help' },
};

export const settings = (view: SettingsView, props: Partial<SettingsProps> = {}) => (
  <Settings
    {...{ ...view, saving: false, saved: null, erasing: 'no', ...props }}
    onChange={() => {}}
    onErase={() => {}}
  />
);
const is = (name: string, props: Partial<SettingsProps>, ...says: readonly string[]): State => ({
  ...{ name, screen: settings(view, props), says },
});

/** What the settings can be, and what a merchant reads then. */
export const STATES: readonly State[] = [
  ...statesOf(settings, [
    [
      'scanned each week',
      view,
      [
        'Next scan: Nov 20, 2026, 10:30',
        'You have accepted no finding.',
        'Customers and orders: nothing.',
        'Download everything as JSON lines',
        'read_products : read the catalog Allowed',
        'write_files : put certificates into Files Asked for when needed',
        'It gives no legal, customs or tax advice',
        'Contact whoever runs this app',
        'Type found-goods.myshopify.com to confirm',
      ],
    ],
    ['never scanned by itself', { ...view, schedule: 'off', nextScanAt: null }, ['No scan is planned.']],
    [
      'without leave to read the theme',
      { ...view, scopes: scopes(['read_products']) },
      ['read_themes : read the files of the theme Missing: open the app again'],
    ],
    [
      'with all scopes',
      { ...view, scopes: scopes(SCOPES) },
      ['read_script_tags : see scripts that older apps have added Allowed'],
    ],
    [
      'in a fixed language, without a contact',
      { ...view, locale: 'ja', contact: null, retentionDays: 30 },
      ['Japanese'],
    ],
    [
      'with accepted findings',
      { ...view, accepted: [accepted, { ...accepted, fingerprint: 'b', title: 'Two pixels', place: null, until: AT }] },
      [
        'Old tag snippets/tracking.liquid · Our agency needs it',
        'Two pixels Our agency needs it · until Nov 20, 2026',
        'Take back',
      ],
    ],
    [
      'with more accepted findings than are listed',
      {
        ...view,
        accepted: Array.from({ length: 25 }, (_, index) => ({ ...accepted, fingerprint: `${index}` })),
        moreAccepted: true,
      },
      ['All accepted findings'],
    ],
    [
      'of hostile strangers',
      {
        ...view,
        accepted: [
          { ...accepted, place: HOSTILE.markup, reason: HOSTILE.turned },
          { ...accepted, fingerprint: 'b', place: HOSTILE.word, reason: HOSTILE.word },
        ],
      },
      [`${HOSTILE.markup} · ${HOSTILE.turned}`, `${HOSTILE.word} · ${HOSTILE.word}`],
    ],
  ]),
  is('saved at this moment', { saving: true }, 'Saving…'),
  is('saved', { saved: true }, 'Saved'),
  is('not saved', { saved: false }, 'This could not be saved. Load the page again.'),
  is('erased at this moment', { erasing: 'busy' }, 'Delete everything'),
  is('not erased for the wrong domain', { erasing: 'refused' }, 'This is not the domain of your store.'),
  is('not erased', { erasing: 'failed' }, 'It could not be deleted just now. Try again in a moment.'),
  { name: 'erased', screen: <Erased />, says: ['Everything is deleted', 'Remove the app in Shopify’s admin now.'] },
];
