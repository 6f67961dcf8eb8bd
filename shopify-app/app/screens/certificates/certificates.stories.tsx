import { CERTIFICATE_STATUSES } from '@compliance/core/entry';
import type { CertificatesView } from '../../../src/certificates/list.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { storiesOf } from '../testing/story.ts';
import { CertificatesScreen } from './certificates.tsx';

const AT = Date.UTC(2026, 10, 2, 9);
const row: CertificatesView['rows'][number] = {
  product: '7',
  title: 'Bicycle helmet, adult',
  status: null,
  ...{ updatedAt: null, retestDue: null },
};
export const view: CertificatesView = {
  timeZone: 'America/New_York',
  asked: { state: 'none' },
  rows: [row, { ...row, product: '8', title: 'Camp chair' }],
  next: null,
  counts: { none: 1180, draft: 3, issued: 16, voided: 1 },
  hasCatalog: true,
};
const STATUSES = { none: null, draft: 'draft', issued: 'complete', voided: 'voided' } as const;
const withState = (state: CertificatesView['asked']['state']): CertificatesView => ({
  ...view,
  asked: { state },
  rows: [{ ...row, status: STATUSES[state], updatedAt: AT }],
});
const none: CertificatesView = { ...view, rows: [], counts: { none: 0, draft: 0, issued: 0, voided: 0 } };

export const certificates = (view: CertificatesView) => <CertificatesScreen {...view} onNavigate={() => {}} />;

/** Certificates list stories, each with its expected text. */
export const STORIES = storiesOf(certificates, [
  [
    'before the first catalog sync',
    { ...none, hasCatalog: false },
    ['Your catalog hasn’t been synced yet, so there are no products to show', 'Go to catalog'],
  ],
  [
    'with products without a certificate',
    view,
    ['No certificate (1,180) Draft (3) Issued (16) Voided (1) Bicycle helmet, adult Camp chair', 'Download CSV'],
  ],
  ['with drafts', withState('draft'), ['Bicycle helmet, adult Draft Nov 2, 2026']],
  ['with issued certificates', withState('issued'), ['Bicycle helmet, adult Complete Nov 2, 2026']],
  ['with voided certificates', withState('voided'), ['Bicycle helmet, adult Voided Nov 2, 2026']],
  [
    'with a certificate or a draft for every product',
    none,
    ['Every product in your catalog has a certificate or a draft.'],
  ],
  ['without drafts', { ...none, asked: { state: 'draft' } }, ['You don’t have any drafts.']],
  ['without issued certificates', { ...none, asked: { state: 'issued' } }, ['No products have a valid certificate.']],
  ['without voided certificates', { ...none, asked: { state: 'voided' } }, ['No products have a voided certificate.']],
  [
    'with a search',
    {
      ...view,
      asked: { state: 'none', q: 'helmet' },
      rows: ([null, ...CERTIFICATE_STATUSES] as const).map((status, index) => ({
        ...{ ...row, status, product: `${index}`, updatedAt: status && AT },
      })),
    },
    ['Bicycle helmet, adult Draft Nov 2, 2026 Bicycle helmet, adult Incomplete Nov 2, 2026'],
  ],
  [
    'with a search without results',
    { ...view, rows: [], asked: { state: 'none', q: 'unicycle' } },
    ['No products match your search.'],
  ],
  [
    'with a deleted product',
    { ...withState('issued'), rows: [{ ...row, status: 'complete', title: null, updatedAt: AT }] },
    ['Product no longer in your catalog'],
  ],
  [
    'with a test that is due',
    { ...view, rows: [{ ...row, status: 'incomplete', retestDue: '2026-12-01' }] },
    ['Bicycle helmet, adult Incomplete Test due Dec 1, 2026'],
  ],
  ['on the first of several pages', { ...view, next: 'n' }, ['Next page']],
  ['on a later page', { ...view, asked: { state: 'none', cursor: 'c' } }, ['Back to first page']],
  [
    'with hostile text',
    {
      ...view,
      asked: { state: 'none', q: HOSTILE.markup },
      rows: [HOSTILE.markup, HOSTILE.reversed, HOSTILE.word, HOSTILE.unicode, HOSTILE.nullish].map((title, index) => ({
        ...{ product: `${index}`, title, status: 'complete' as const, updatedAt: AT, retestDue: null },
      })),
    },
    [HOSTILE.markup, HOSTILE.word, HOSTILE.unicode, `${HOSTILE.nullish} Complete`],
  ],
]);
