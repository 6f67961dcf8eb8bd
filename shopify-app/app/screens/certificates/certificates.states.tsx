import type { CertificatesView } from '../../../src/certificates/list.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { statesOf } from '../testing/state.ts';
import { Certificates } from './certificates.tsx';

const AT = Date.UTC(2026, 10, 2, 9);
const row: CertificatesView['rows'][number] = {
  product: '7',
  title: 'Bicycle helmet, adult',
  state: 'none',
  updatedAt: null,
};
export const view: CertificatesView = {
  timeZone: 'America/New_York',
  asked: { state: 'none' },
  rows: [row, { ...row, product: '8', title: 'Camp chair' }],
  next: null,
  counts: { none: 1180, draft: 3, issued: 16, voided: 1 },
  hasCatalog: true,
};
const in_ = (state: CertificatesView['asked']['state']): CertificatesView => ({
  ...view,
  asked: { state },
  rows: [{ ...row, state, updatedAt: AT }],
});
const none: CertificatesView = { ...view, rows: [], counts: { none: 0, draft: 0, issued: 0, voided: 0 } };

export const certificates = (view: CertificatesView) => <Certificates {...view} onAsk={() => {}} />;

/** What the list can be, and what a merchant reads then. */
export const STATES = statesOf(certificates, [
  [
    'before the catalog was read',
    { ...none, hasCatalog: false },
    ['Your catalog has not been read yet, so no products are listed', 'Go to the catalog'],
  ],
  [
    'of products without a certificate',
    view,
    ['Without (1,180) Draft (3) Issued (16) Voided (1) Bicycle helmet, adult Camp chair', 'Download as CSV'],
  ],
  ['of drafts', in_('draft'), ['Bicycle helmet, adult Nov 2, 2026']],
  ['of issued ones', in_('issued'), ['Bicycle helmet, adult Nov 2, 2026']],
  ['of voided ones', in_('voided'), ['Bicycle helmet, adult Nov 2, 2026']],
  ['with no product left without', none, ['Every product of your catalog has a certificate or a draft.']],
  ['without drafts', { ...none, asked: { state: 'draft' } }, ['You are writing no certificate.']],
  ['without issued ones', { ...none, asked: { state: 'issued' } }, ['No product has a certificate in force.']],
  ['without voided ones', { ...none, asked: { state: 'voided' } }, ['No certificate was voided.']],
  [
    'of a search',
    {
      ...view,
      asked: { state: 'none', q: 'helmet' },
      rows: (['none', 'draft', 'issued', 'voided'] as const).map((state, index) => ({
        ...{ ...row, state, product: `${index}`, updatedAt: state === 'none' ? null : AT },
      })),
    },
    ['Bicycle helmet, adult Draft Nov 2, 2026 Bicycle helmet, adult Issued Nov 2, 2026'],
  ],
  [
    'of a search for nothing',
    { ...view, rows: [], asked: { state: 'none', q: 'unicycle' } },
    ['No product of your catalog fits these words.'],
  ],
  [
    'with a product that is gone',
    { ...in_('issued'), rows: [{ ...row, state: 'issued', title: null, updatedAt: AT }] },
    ['A product that is no longer in the catalog'],
  ],
  ['a first page', { ...view, next: 'n' }, ['Next page']],
  ['a later page', { ...view, asked: { state: 'none', cursor: 'c' } }, ['Back to the first page']],
  [
    'of hostile strangers',
    {
      ...view,
      asked: { state: 'none', q: HOSTILE.markup },
      rows: [HOSTILE.markup, HOSTILE.turned, HOSTILE.word, HOSTILE.signs, HOSTILE.nullish].map((title, index) => ({
        ...{ product: `${index}`, title, state: 'issued' as const, updatedAt: AT },
      })),
    },
    [HOSTILE.markup, HOSTILE.word, HOSTILE.signs, `${HOSTILE.nullish} Issued`],
  ],
]);
