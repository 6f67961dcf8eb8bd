import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateContext, certificate, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { issueCertificate } from './issue-certificate.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const fonts = openFonts(loadFace);
const issuing = {
  async draw(input: unknown, context: CertificateContext) {
    const record = certificate(input, context);
    return { record, pdf: await render(record, fonts) };
  },
  baseUrl: 'https://compliance.example',
};
const body = {
  product_info: { name: 'Helmet', date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China' },
  manufacturer: { name: 'Velo', address: '88 Keyuan Road', contact_email: 'a@velo.example' },
  testing_lab: { name: 'Lab', test_date: '2026-09-20' },
  cpsc_rules_cited: ['16 CFR 1203'],
};
/** Request body for a complete certificate. */
const complete = {
  ...{ cpsc_rules_cited: body.cpsc_rules_cited },
  product_info: { ...body.product_info, model: 'RB-200', description: 'In-mold road helmet, size M, black' },
  manufacturer: {
    ...{ name: 'Velo', address: '88 Keyuan Road, Shenzhen, Guangdong 518057, China' },
    ...{ contact_email: 'a@velo.example', phone: '+86 755 8321 1234' },
  },
  testing_lab: {
    ...{ name: 'Lab', test_date: '2026-09-20', address: '1200 Harbor Way, Long Beach, CA 90802, USA' },
    ...{ phone: '+1 562 555 0199', email: 'reports@lab.example' },
  },
  certifier: {
    ...{ role: 'importer', name: 'Cascade Imports', address: '410 Alder Street', city: 'Portland' },
    ...{ state_province: 'Oregon', country: 'US', phone: '+1 503 555 0142', email: 'gcc@cascade.example' },
  },
  records_contact: {
    ...{ position: 'Compliance manager', address: '410 Alder Street', city: 'Portland', state_province: 'Oregon' },
    ...{ country: 'US', phone: '+1 503 555 0143', email: 'records@cascade.example' },
  },
  attestation: { attested_by: 'Dana Whitfield', attested_at: '2026-11-20', text_version: '16cfr1110.11-2026-07-08' },
};
let store: Store;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'issue-'));
  store = await openStore({ dataDir, clock: () => NOW });
});
afterAll(() => store.close());

const issue = (change: { id?: string; family?: string; supersedes?: string; body?: object } = {}) =>
  issueCertificate(store.certificates, issuing, {
    body: { ...(change.body ?? complete), ...(change.supersedes && { supersedes: change.supersedes }) },
    id: change.id ?? randomUUID(),
    family: change.family ?? 'fam_1',
    now: NOW,
    actor: 'fam_1',
  });

describe('issueCertificate', () => {
  it('prints the verification URL on the certificate', async () => {
    const { id, record } = await issue();
    expect(JSON.parse(record).verification_url).toBe(`https://compliance.example/gcc/${id}`);
  });

  it('makes a product family’s certificate searchable by a variant’s SKU', async () => {
    const variants = [{ name: 'Size M', sku: 'FAM-77-M' }, { sku: 'FAM-77-L' }];
    const { id } = await issue({ body: { ...complete, product_info: { ...complete.product_info, variants } } });
    const found = await store.certificates.search({ text: 'fam-77-l', limit: 10 });
    expect(found.map(each => each.id)).toEqual([id]);
  });

  it('returns the same certificate for repeated and concurrent requests with the same ID', async () => {
    const id = randomUUID();
    const made = await Promise.all([issue({ id }), issue({ id }), issue({ id })]);
    expect(new Set(made.map(({ sha256, createdAt }) => `${sha256} ${createdAt}`)).size).toBe(1);
    expect((await store.certificates.list({ limit: 100 })).filter(each => each.id === id)).toHaveLength(1);
  });

  it('returns the same successor when a request to supersede a certificate is repeated', async () => {
    const { id: supersedes } = await issue();
    const id = randomUUID();
    const made = await issue({ id, supersedes });
    expect(await issue({ id, supersedes })).toEqual(made);
    expect((await store.certificates.get(supersedes))?.supersededBy).toBe(id);
  });

  it.each([
    ['a draft', body, 'draft'],
    ['an incomplete certificate', { ...complete, certifier: undefined }, 'incomplete'],
  ])(
    'issues %s with a warning and leaves the certificate named in `supersedes` unchanged',
    async (_, drafted, status) => {
      const first = await issue();
      const id = randomUUID();
      const made = await issue({ id, supersedes: first.id, body: drafted });
      expect(made).toMatchObject({ status, supersedes: null });
      expect(JSON.parse(made.record).warnings).toContainEqual({
        ...{ code: 'DRAFT_CANNOT_SUPERSEDE', path: 'supersedes', citation: null },
        message: expect.stringContaining(first.id),
      });
      expect(await store.certificates.get(first.id)).toEqual(first);
      expect(await issue({ id, supersedes: first.id, body: drafted })).toEqual(made);

      const successor = await issue({ supersedes: first.id });
      expect(successor).toMatchObject({ status: 'complete', supersedes: first.id });
      expect(JSON.parse(successor.record).warnings).not.toContainEqual(
        expect.objectContaining({ code: 'DRAFT_CANNOT_SUPERSEDE' }),
      );
      await expect(issue({ supersedes: first.id, body: drafted })).rejects.toMatchObject({ code: 'certificate_ended' });
      const foreign = issue({ supersedes: successor.id, body: drafted, family: 'fam_2' });
      await expect(foreign).rejects.toMatchObject({ code: 'certificate_unknown' });
    },
  );

  it('doesn’t supersede or return a certificate from another family', async () => {
    const { id } = await issue();
    await expect(issue({ supersedes: id, family: 'fam_2' })).rejects.toMatchObject({ code: 'certificate_unknown' });
    await expect(issue({ id, family: 'fam_2' })).rejects.toMatchObject({ code: 'certificate_exists' });
    await store.certificates.void(id, { reason: 'Wrong lab', actor: 'fam_1' });
    await expect(issue({ supersedes: id })).rejects.toMatchObject({ code: 'certificate_ended' });
  });
});
