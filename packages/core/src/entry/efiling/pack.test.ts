import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { codes, efiling } from '../registry/testing/samples.ts';
import { toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { familyRequest } from '../samples/variants.ts';
import disclaimSchema from './fedex/disclaim.schema.json' with { type: 'json' };
import type { Disclaim } from './fedex/disclaim.ts';
import referenceSchema from './fedex/reference.schema.json' with { type: 'json' };
import { type EfilingOptions, efilingPack } from './pack.ts';
import { EFILING_TARGETS, type EfilingTarget } from './targets.ts';

const ajv = new Ajv2020({ strictTypes: false, strictRequired: false });
const validators = { fedex_reference: ajv.compile(referenceSchema), fedex_disclaim: ajv.compile(disclaimSchema) };

const registered = { ...efiling, certifier_id: 'C-1' };
const helmet = { ...completeRequest, efiling: registered };
const disclaim: Disclaim = { code: 'B', intended_use_code: '130.006' };

const exported = (target: EfilingTarget, request: object | null, options: EfilingOptions = {}) => {
  const record = request && certificate(request, sampleContext);
  const [only] = efilingPack(record, { codes, ...options, targets: [target] });
  return only!;
};
const messageIn = (content: string | null) =>
  JSON.parse(content!).requestedShipment.customsClearanceDetail.commodities[0].regulatoryDetails[0];
const pathsOf = ({ gaps }: { gaps: readonly { path: string }[] }) => gaps.map(({ path }) => path);

describe('efilingPack', () => {
  it('writes data for each target with a confirmed schema, and explains why it can’t write data for the others', () => {
    const pack = efilingPack(certificate(helmet, sampleContext), { codes, disclaim });
    expect(pack.map(({ target, status }) => [target, status])).toEqual([
      ['registry_csv', 'ready'],
      ['fedex_reference', 'ready'],
      ['fedex_disclaim', 'ready'],
      ['registry_api', 'unavailable'],
      ['fedex_full', 'unavailable'],
      ['easypost', 'unavailable'],
      ['shipstation', 'unavailable'],
    ]);
    expect(pack.map(({ target }) => target)).toEqual(EFILING_TARGETS);
    for (const { status, content, notes } of pack) {
      expect(content === null).toBe(status === 'unavailable');
      expect(notes.join()).toContain(status === 'unavailable' ? 'Not available: the schema couldn’t be confirmed' : '');
    }
    expect(pack[0]!.content!.split('\r\n')).toHaveLength(3);
  });

  it('omits the disclaim message if nothing is disclaimed, and writes data for each requested target only once', () => {
    const record = certificate(helmet, sampleContext);
    expect(efilingPack(record, { codes }).map(({ target }) => target)).not.toContain('fedex_disclaim');
    expect(efilingPack(record, { targets: ['easypost', 'easypost'] })).toHaveLength(1);
  });

  it.each([
    ['registry_csv', helmet],
    ['fedex_reference', helmet],
    ['fedex_disclaim', helmet],
  ] as const)('writes complete and valid %s data', (target, request) => {
    const { content, gaps } = exported(target, request, { disclaim });
    expect(gaps).toEqual([]);
    if (target !== 'registry_csv') expect(validators[target](JSON.parse(content!))).toBe(true);
  });

  it('requires a certificate for all targets except disclaim messages', () => {
    expect(pathsOf(exported('registry_csv', null))).toEqual(['certificate']);
    expect(pathsOf(exported('fedex_reference', null))).toEqual(['certificate']);
    const product = { product_id: 'MUG-1', product_id_type: 'SKU' };
    const { content } = exported('fedex_disclaim', null, {
      disclaim: { code: 'A', intended_use_code: '130.000', ...product },
    });
    expect(messageIn(content)).toEqual({
      regulationCode: 'CPSC',
      productId: 'MUG-1',
      productIdType: 'SKU',
      details: { disclaimMessageSet: { disclaimCode: 'A', intendedUseCode: '130.000' } },
    });
  });
});

describe('the FedEx reference message', () => {
  it('contains the registered IDs, and the Registry’s product ID only if it differs from the merchant’s', () => {
    expect(messageIn(exported('fedex_reference', helmet).content)).toEqual({
      regulationCode: 'CPSC',
      productId: 'RB-200-M',
      productIdType: 'SKU',
      details: { referenceMessageSet: { productVersion: 'V-1', certifierId: 'C-1', registryProductId: 'P-1' } },
    });
    const { product_id: _, ...unnamed } = registered;
    const { content } = exported('fedex_reference', { ...toyRequest, efiling: unnamed });
    expect(messageIn(content)).toMatchObject({
      productId: 'TR-12',
      productIdType: 'OTHER',
      details: { referenceMessageSet: { productVersion: 'V-1', certifierId: 'C-1' } },
    });
  });

  it.each([
    ['no certifier_id', 'efiling.certifier_id', { certifier_id: undefined }],
    ['no version_id', 'efiling.version_id', { version_id: undefined }],
    ['a certifier_id that’s too long', 'efiling.certifier_id', { certifier_id: 'C'.repeat(34) }],
  ])('isn’t written with %s, and a gap names the field', (_, path, change) => {
    const { status, content, gaps } = exported('fedex_reference', { ...helmet, efiling: { ...registered, ...change } });
    expect([status, content]).toEqual(['incomplete', null]);
    expect(pathsOf({ gaps })).toEqual([path]);
  });

  it('isn’t written if the product ID is missing or invalid, and a gap names the field', () => {
    const { product_id: _, ...unnamed } = registered;
    const { model: __, ...product_info } = toyRequest.product_info;
    expect(pathsOf(exported('fedex_reference', { ...toyRequest, efiling: unnamed, product_info }))).toEqual([
      'efiling.product_id',
    ]);
    const long = { ...toyRequest, efiling: unnamed, product_info: { ...product_info, model: 'M'.repeat(71) } };
    expect(pathsOf(exported('fedex_reference', long))).toEqual(['efiling.product_id', 'efiling.product_id']);
  });

  it('has a commodity for each variant, and rejects a product ID that several variants share', () => {
    const { product_id: _, ...unnamed } = registered;
    const { content } = exported('fedex_reference', { ...familyRequest, efiling: unnamed });
    const { commodities } = JSON.parse(content!).requestedShipment.customsClearanceDetail;
    expect(commodities).toHaveLength(familyRequest.product_info.variants!.length);
    expect(pathsOf(exported('fedex_reference', { ...familyRequest, efiling: registered }))).toEqual([
      'efiling.product_id',
    ]);
    const variants = [{ sku: 'S1' }, { sku: 'S'.repeat(71) }];
    const long = { ...familyRequest, efiling: unnamed, product_info: { ...familyRequest.product_info, variants } };
    expect(new Set(pathsOf(exported('fedex_reference', long)))).toEqual(new Set(['product_info.variants.1']));
  });

  it('includes notes that the certificate is a draft, that the sources conflict, and that the registration wasn’t checked', () => {
    const { attestation: _, ...draft } = helmet;
    const notes = exported('fedex_reference', draft).notes.join('\n');
    for (const part of ['a draft', '2026-11-26', '`certificateId`', 'as an array', 'Product Registry'])
      expect(notes).toContain(part);
  });
});

describe('the FedEx disclaim message', () => {
  it.each([
    ['disclaim.code', { intended_use_code: '130.006' }],
    ['disclaim.intended_use_code', { code: 'B' }],
    ['disclaim.intended_use_code', { code: 'B', intended_use_code: '245.001' }],
    ['disclaim.intended_use_code', { code: 'B', intended_use_code: '130.003' }],
    ['disclaim.intended_use_description', { code: 'B', intended_use_code: '980.000' }],
    [
      'disclaim.intended_use_description',
      { code: 'B', intended_use_code: '980.000', intended_use_description: 'x'.repeat(23) },
    ],
  ] as const)('isn’t written if %s is missing or not allowed: %o', (path, facts) => {
    const { content, gaps } = exported('fedex_disclaim', helmet, { disclaim: facts });
    expect(content).toBeNull();
    expect(pathsOf({ gaps })).toEqual([path]);
  });

  it('rejects code A for a product whose certificate cites a rule', () => {
    const { content, gaps } = exported('fedex_disclaim', helmet, { disclaim: { ...disclaim, code: 'A' } });
    expect(content).toBeNull();
    expect(gaps).toEqual([
      {
        path: 'disclaim.code',
        message: 'Disclaim code A means that CPSC doesn’t regulate the product, but the certificate cites 16 CFR 1203',
      },
    ]);
  });

  it('requires a product ID and a product ID type if there’s no certificate', () => {
    const facts: Disclaim = { code: 'A', intended_use_code: '130.006' };
    expect(pathsOf(exported('fedex_disclaim', null, { disclaim: facts }))).toEqual(['disclaim.product_id']);
    expect(pathsOf(exported('fedex_disclaim', null, { disclaim: { ...facts, product_id: 'M-1' } }))).toEqual([
      'disclaim.product_id_type',
    ]);
    expect(
      pathsOf(exported('fedex_disclaim', null, { disclaim: { ...facts, intended_use_code: '130.001' } })),
    ).toContain('disclaim.intended_use_code');
  });

  it('is written if and only if it conforms to its schema', () => {
    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const base = fc.constantFrom('081', '130', '980', '245');
    const use = fc.tuple(base, fc.constantFrom('.000', '.001', '.005', '.006', '', '.1')).map(parts => parts.join(''));
    const facts = fc.record({
      code: maybe(fc.constantFrom('A' as const, 'B' as const)),
      intended_use_code: maybe(use),
      intended_use_description: maybe(fc.string({ minLength: 1, maxLength: 24, unit: 'grapheme' })),
      product_id: fc.constantFrom('M-1', 'x'.repeat(70), 'x'.repeat(71)),
      product_id_type: fc.constantFrom('SKU', 'GTIN', 'OTHER'),
    });
    fc.assert(
      fc.property(facts, disclaims => {
        const { content } = exported('fedex_disclaim', null, { disclaim: disclaims as Disclaim });
        const { code, intended_use_code, intended_use_description, product_id, product_id_type } = disclaims;
        const unchecked = {
          regulationCode: 'CPSC',
          productId: product_id,
          productIdType: product_id_type,
          details: {
            disclaimMessageSet: {
              disclaimCode: code,
              intendedUseCode: intended_use_code,
              intendedUseDescription: intended_use_description,
            },
          },
        };
        const commodities = [{ regulatoryDetails: [unchecked] }];
        const request = JSON.parse(JSON.stringify({ requestedShipment: { customsClearanceDetail: { commodities } } }));
        expect(content !== null).toBe(validators.fedex_disclaim(request));
        if (content !== null) expect(JSON.parse(content)).toEqual(request);
      }),
      { numRuns: 300 },
    );
  });
});
