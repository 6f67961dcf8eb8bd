import { describe, expect, it } from 'vitest';
import type { AcceptFaults } from '../../../src/findings/accept.ts';
import type { FindingView } from '../../../src/findings/findings.ts';
import type { FindingOrigin } from '../../../src/scan/types.ts';
import { expectSound, LANGUAGES, shown } from '../testing/shown.tsx';
import { Finding } from './finding.tsx';

const SEEN = Date.UTC(2026, 10, 2, 9);
const view: FindingView = {
  fingerprint: 'a',
  ruleId: 'old_tag',
  title: 'Old tag',
  severity: 'warn',
  message: 'The tag UA-1 sends nothing any more.',
  place: 'snippets/tracking.liquid:4',
  places: 1,
  firstSeen: SEEN,
  regressed: false,
  fixedAt: null,
  timeZone: 'Asia/Tokyo',
  status: 'open',
  lastSeen: SEEN + 86_400_000,
  regressedAt: null,
  accepted: false,
  acceptance: null,
  snippet: "ga('create', 'UA-1');",
  ids: ['UA-1', 'UA-2'],
  what: 'A tag of a service that was shut down.',
  why: 'It costs time.',
  steps: ['Open the file.', 'Remove the tag.'],
  sources: ['https://support.example/ua'],
  pages: [{ path: '/products/mug', url: 'https://shop.example/products/mug' }],
  files: [
    {
      ...{ themeId: '7', name: 'snippets/tracking.liquid', line: 4, column: 2 },
      editorUrl: 'https://admin.shopify.com/store/found/themes/7?key=snippets%2Ftracking.liquid',
    },
  ],
  origin: 'file',
  context: null,
  escalatesOn: null,
  rechecking: false,
};
const acceptance = { reason: 'Our agency needs it', until: null, by: '42', at: SEEN };
const elsewhere = (origin: FindingOrigin): FindingView => ({ ...view, origin, files: [] });

type State = [name: string, view: FindingView, sentences: readonly string[]];

const STATES: readonly State[] = [
  [
    'open',
    view,
    [
      'The tag UA-1 sends nothing any more.',
      "ga('create', 'UA-1');",
      'Identifiers: UA-1, UA-2',
      'Sources support.example/ua',
      'It stands in this file of your theme: snippets/tracking.liquid, line 4',
      'Seen on these pages: /products/mug',
      'Why it matters A tag of a service that was shut down. It costs time.',
      'Open the file. Remove the tag.',
      'Open in the theme editor',
      'First seen Nov 2, 2026, 6:00',
      'Last seen Nov 3, 2026',
      'Live with it',
    ],
  ],
  ['fixed', { ...view, status: 'fixed', fixedAt: SEEN }, ['Fixed: not seen any more since Nov 2, 2026']],
  [
    'accepted for good',
    { ...view, accepted: true, acceptance },
    ['You accepted this finding Our agency needs it', 'Take that back'],
  ],
  [
    // The day that was chosen, wherever the shop is: in Tokyo the next one has begun by then.
    'accepted until a day',
    { ...view, accepted: true, acceptance: { ...acceptance, until: Date.parse('2027-01-31T23:59:59.999+09:00') } },
    ['You accepted this finding until Jan 31, 2027'],
  ],
  ['accepted once, which ran out', { ...view, acceptance: { ...acceptance, until: SEEN } }, ['Live with it']],
  ['come back', { ...view, regressed: true, regressedAt: SEEN }, ['Warning Came back', 'Came back Nov 2, 2026, 6:00']],
  [
    'about to become graver',
    { ...view, escalatesOn: '2027-03-01' },
    ['From Mar 1, 2027 on this counts as more severe.'],
  ],
  ['with what may explain it', { ...view, context: 'The theme was changed.' }, ['The theme was changed.']],
  ['under a look', { ...view, rechecking: true }, ['Check again']],
  [
    'in one of several files',
    {
      ...view,
      origin: 'candidates',
      files: [view.files[0]!, { ...view.files[0]!, name: 'layout/x.liquid', line: null }],
    },
    ['It stands in one of these files of your theme: snippets/tracking.liquid, line 4 layout/x.liquid'],
  ],
  ['of an app', elsewhere('app'), ['It is in no file of your theme: an app brings it.']],
  ['of a setting', elsewhere('shopify_admin'), ['a setting of Shopify brings it (Customer events, or Preferences']],
  ['of a tag manager', elsewhere('tag_manager'), ['a tag manager container brings it.']],
  ['of the checkout', elsewhere('checkout'), ['it belongs to the settings of the checkout.']],
  ['of unknown origin', elsewhere('unknown'), ['Where it comes from is unknown']],
  [
    'of a rule that is no more, on no page, without address',
    {
      ...elsewhere('unknown'),
      what: '',
      why: '',
      steps: [],
      sources: [],
      snippet: '',
      ids: [],
      pages: [{ path: '/', url: null }],
    },
    ['Seen on these pages: /'],
  ],
];

const finding = (view: FindingView, faults: AcceptFaults = {}) => (
  <Finding {...view} faults={faults} busy={false} onAccept={() => {}} onUnaccept={() => {}} onRecheck={() => {}} />
);

describe.each(STATES)('a finding, %s', (_, view, sentences) => {
  it('says what a merchant needs to know', () => {
    const { text } = shown(finding(view));
    for (const sentence of sentences) expect(text).toContain(sentence);
  });

  it.each(LANGUAGES)('is sound in %s', language => expectSound(shown(finding(view), language)));
});

describe('a finding', () => {
  it('can be accepted while it is open and not accepted', () => {
    const form = 'Why it may stay';
    expect(shown(finding(view)).text).toContain(form);
    expect(shown(finding({ ...view, accepted: true, acceptance })).text).not.toContain(form);
    expect(shown(finding({ ...view, status: 'fixed' })).text).not.toContain(form);
  });

  it.each([
    ['reason', 'reason_missing', 'Say why, so that others understand it later.'],
    ['reason', 'reason_too_long', 'Use at most 500 characters.'],
    ['until', 'until_invalid', 'Give a date, or leave this empty.'],
    ['until', 'until_past', 'Give a day that is still to come.'],
  ])('says at the field %s what is wrong: %s', (field, fault, sentence) => {
    for (const language of LANGUAGES) expectSound(shown(finding(view, { [field]: fault }), language));
    const { text, markup } = shown(finding(view, { [field]: fault }));
    expect(text).toContain(sentence);
    expect(markup.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it('shows names of code as code, and a lone backtick as it is', () => {
    const { markup, text } = shown(finding({ ...view, what: 'Calls `ga()` twice.', why: 'A ` alone.' }));
    expect(markup).toContain('Calls <code>ga()</code> twice.');
    expect(text).toContain('A ` alone.');
  });

  it('leads out of the frame to the editor, and to pages in a tab of their own', () => {
    const { markup } = shown(finding(view));
    expect(markup.match(/<a [^>]*themes\/7[^>]*>/g)!.every(link => link.includes('target="_top"'))).toBe(true);
    expect(markup).toMatch(
      /<a [^>]*target="_blank" href="https:\/\/shop\.example\/products\/mug" rel="noopener noreferrer"/,
    );
  });

  it('shows the code of a store as text', () => {
    const evil = '<script>window.hacked=1</script><img src=x onerror=hacked()>';
    const { text, names } = shown(
      finding({
        ...view,
        ...{ snippet: evil, message: evil, context: evil, ids: [evil], pages: [{ path: `/${evil}`, url: null }] },
        ...{ accepted: true, acceptance: { ...acceptance, reason: evil } },
        files: [{ ...view.files[0]!, name: `snippets/${evil}.liquid` }],
      }),
    );
    expect(text.split(evil).length - 1).toBe(7);
    expect(names).not.toContain('script');
    expect(names).not.toContain('img');
  });
});
