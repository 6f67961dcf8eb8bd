import { parseLabList } from '@compliance/core/entry';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import operation from './entry-cpc-generate.ts';
import efiling from './entry-gcc-efiling.ts';
import general from './entry-gcc-generate.ts';
import supersede from './entry-gcc-supersede.ts';

const service = await startService();
let headers: Record<string, string>;
beforeEach(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const request = operation.examples[0]!.request;
const { certifier, records_contact, attestation } = supersede.examples[0]!.request;
/** The `generate` example with its missing elements added. */
const complete = {
  ...request,
  ...{ certifier, records_contact, attestation },
  product_info: { ...request.product_info, description: 'Beech train with four wagons, painted red and blue' },
  manufacturer: { ...request.manufacturer, phone: '+86 755 8321 1234' },
  testing_lab: {
    ...request.testing_lab,
    address: '1200 Harbor Way, Long Beach, CA 90802, USA',
    phone: '+1 562 555 0199',
    email: 'reports@harbortoy.example',
  },
};
const call = async (body: unknown, path: string = operation.path) => {
  const response = await service.post(path, body, headers);
  return { status: response.status, body: await jsonBody(response) };
};

describe('entry.cpc.generate', () => {
  it('issues a certificate without checking laboratory acceptance if the service has no list', async () => {
    const { status, body } = await call(complete);
    expect(status).toBe(200);
    expect(operation.response.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      ...{ certificate_type: 'CPC', status: 'complete' },
      childrens_product: {
        age_grading: { decision: 'CPC' },
        lab_list: null,
        labs: [{ cpsc_lab_id: '1234', status: 'not_checked' }],
      },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'LAB_ACCEPTANCE_NOT_CHECKED' })]),
    });
    const { expected_rules, third_party_testing } = body.childrens_product;
    expect(
      expected_rules.map(({ citation, cited }: { citation: string; cited: boolean }) => [citation, cited]),
    ).toEqual([
      ...[
        ['16 CFR 1250', true],
        ['16 CFR 1303', true],
        ['16 CFR 1307', true],
        ['15 U.S.C. 1278a', true],
      ],
    ]);
    expect(new Set(third_party_testing.map(({ result }: { result: string }) => result))).toEqual(
      new Set(['not_checked']),
    );
    const pdf = await service.get(body.gcc_pdf_url.replace('http://service.test', ''));
    expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="CPC-${body.gcc_id}.pdf"`);
    const page = await (await service.get(`/gcc/${body.gcc_id}`)).text();
    expect(page).toContain('<h1>Children’s Product Certificate</h1>');
    expect(page).toContain('Not checked. No list of CPSC-accepted laboratories was supplied.');
    expect(page).toContain('<span class="badge warn">Complete</span>');
    expect(page).toContain('confirm that CPSC accepts the laboratory.');
  });

  it('checks the laboratory against the service’s list and issues a draft if the laboratory isn’t listed', async () => {
    const rules = complete.cpsc_rules_cited;
    const labs = [{ cpsc_lab_id: '1234', rules }];
    const list = { as_of: '2026-11-20', source: 'cpsc.gov laboratory search', labs };
    const listed = await startService({ acceptedLabs: parseLabList(list) });
    const authorized = { Authorization: `Bearer ${await listed.issue('entry')}` };
    const issue = async (cpsc_lab_id: string) => {
      const body = { ...complete, testing_lab: { ...complete.testing_lab, cpsc_lab_id } };
      return await jsonBody(await listed.post(operation.path, body, authorized));
    };
    const accepted = await issue('1234');
    expect(await (await listed.get(`/gcc/${accepted.gcc_id}`)).text()).toContain(
      '<span class="badge good">Complete</span>',
    );
    expect(accepted).toMatchObject({
      status: 'complete',
      childrens_product: {
        lab_list: { as_of: '2026-11-20', source: 'cpsc.gov laboratory search' },
        labs: [{ cpsc_lab_id: '1234', status: 'accepted' }],
      },
    });
    expect(await issue('5678')).toMatchObject({
      status: 'draft',
      childrens_product: { labs: [{ cpsc_lab_id: '5678', status: 'not_listed' }] },
    });
    const exported = async (cpsc_lab_id: string) => {
      const certificate = { ...complete, testing_lab: { ...complete.testing_lab, cpsc_lab_id } };
      const response = await listed.post(efiling.path, { certificate, targets: ['fedex_reference'] }, authorized);
      return efiling.response.parse(await jsonBody(response)).targets[0]!.notes;
    };
    const isDraft = expect.stringContaining('This certificate is a draft');
    expect(await exported('1234')).not.toContainEqual(isDraft);
    expect(await exported('5678')).toContainEqual(isDraft);
    await listed.stop();
  });

  it('issues a draft if the CPSC lab ID is missing, and explains why on the verification page', async () => {
    const { cpsc_lab_id: _, ...testing_lab } = complete.testing_lab;
    const { body } = await call({ ...complete, testing_lab });
    expect(body.status).toBe('draft');
    const page = await (await service.get(`/gcc/${body.gcc_id}`)).text();
    expect(page).toContain(
      'For at least one rule, the draft doesn&#39;t list a test by a CPSC-accepted laboratory, so the draft isn&#39;t a certificate.',
    );
  });

  it('rejects a general-use product', async () => {
    const { status, body } = await call({
      ...complete,
      age_grading: { ages: { from_months: 216 } },
      product_info: { ...complete.product_info, name: 'Model railway' },
    });
    expect([status, body.issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'age_grading', code: 'NOT_A_CHILDRENS_PRODUCT' })],
    ]);
  });

  it('rejects requests for the other certificate type in both the `entry.cpc` and the `entry.gcc` operations', async () => {
    const wrong = [400, expect.arrayContaining([expect.objectContaining({ path: 'certificate_type' })])];
    const { certificate_type: _, ...untyped } = complete;
    const rejected = [
      await call(untyped),
      await call({ ...complete, certificate_type: 'GCC' }),
      await call(complete, general.path),
      await call(complete, supersede.path.replace('{id}', '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60')),
    ];
    for (const { status, body } of rejected) expect([status, body.issues]).toEqual(wrong);
  });

  it('issues certificates that appear in the same list as General Certificates of Conformity', async () => {
    await call(complete);
    await call(general.examples[0]!.request, general.path);
    const list = await jsonBody(await service.get('/api/v1/entry/gcc', { headers }));
    expect(list.certificates.map((each: { certificate_type: string }) => each.certificate_type).sort()).toEqual([
      'CPC',
      'GCC',
    ]);
  });
});
