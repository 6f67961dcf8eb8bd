import { describe, expect, it } from 'vitest';
import type { InvalidRequest } from '../request/issues.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { familyRequest } from '../samples/variants.ts';
import { certificate } from './certificate.ts';

const withVariant = (variant: object, changes: object = {}) => ({
  ...completeRequest,
  product_info: { ...completeRequest.product_info, ...changes, variants: [{ sku: 'RB-200-S' }, variant] },
});
const make = (request: object) => certificate(request, sampleContext);

function issuesOf(request: object) {
  try {
    make(request);
    return [];
  } catch (error) {
    return (error as InvalidRequest).issues.map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a certificate for a product family', () => {
  it('is complete without a product identifier, because every variant has its own', () => {
    const { completeness, request } = make(familyRequest);
    expect(completeness).toEqual({ status: 'complete', missing: [], contradictions: [] });
    expect(request.product_info.variants).toHaveLength(48);
  });

  it.each([
    ['a variant without an identifier', { name: 'Size L' }, 'product_info.variants.1.sku REQUIRED'],
    ['a variant with an unknown field', { sku: 'L', color: 'red' }, 'product_info.variants.1.color UNKNOWN_FIELD'],
    ['a GTIN with nine digits', { gtin: '123456789' }, 'product_info.variants.1.gtin INVALID_FORMAT'],
  ])('rejects %s', (_, variant, issue) => {
    expect(issuesOf(withVariant(variant))).toEqual([issue]);
  });

  it('rejects an empty list of variants and a list of more than 200 variants', () => {
    const family = (variants: object[]) => ({
      ...completeRequest,
      product_info: { ...completeRequest.product_info, variants },
    });
    expect(issuesOf(family([]))).toEqual(['product_info.variants TOO_FEW']);
    expect(issuesOf(family(Array(201).fill({ sku: 'S' })))).toEqual(['product_info.variants TOO_MANY']);
  });

  it.each([
    ['a wrong check digit', { gtin: '00812345678905' }, 'WRONG_CHECK_DIGIT', 'product_info.variants.1.gtin'],
    ['a placeholder', { sku: 'N/A' }, 'PLACEHOLDER_TEXT', 'product_info.variants.1.sku'],
    ['children’s ages', { name: 'Ages 5–10', sku: 'S' }, 'CHILDRENS_AGE_ON_GCC', 'product_info.variants.1.name'],
  ])('reports %s in a variant', (_, variant, code, path) => {
    expect(make(withVariant(variant)).completeness.contradictions).toContainEqual(
      expect.objectContaining({ code, path }),
    );
  });

  it('warns about a variant that looks like a children’s product', () => {
    expect(make(withVariant({ name: 'Toddler', sku: 'T' })).warnings).toContainEqual(
      expect.objectContaining({ code: 'POSSIBLE_CHILDRENS_PRODUCT', path: 'product_info.variants.1.name' }),
    );
  });
});
