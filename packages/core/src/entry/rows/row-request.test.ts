import { describe, expect, it } from 'vitest';
import { requestOfCells, requestOfFields } from './row-request.ts';

describe('requestOfCells', () => {
  it('converts lists, numbers, and Booleans, and keeps template values for empty cells', () => {
    const columns = [
      'key',
      'cpsc_rules_cited',
      'age_grading.ages.from_months',
      'childrens_product.surface_coating',
      'tests.0.rule',
      'manufacturer.name',
    ];
    const cells = ['A', '16 CFR 1250; 16 CFR 1303', '36', 'TRUE', '16 CFR 1250', ''];
    expect(requestOfCells({ manufacturer: { name: 'Oak' } }, columns, cells)).toEqual({
      manufacturer: { name: 'Oak' },
      cpsc_rules_cited: ['16 CFR 1250', '16 CFR 1303'],
      age_grading: { ages: { from_months: 36 } },
      childrens_product: { surface_coating: true },
      tests: [{ rule: '16 CFR 1250' }],
    });
  });

  it('never changes an object’s prototype', () => {
    requestOfCells({}, ['__proto__.polluted', 'constructor.prototype.polluted'], ['yes', 'yes']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});

describe('requestOfFields', () => {
  const template = { manufacturer: { name: 'Oak', address: '1 Alder Street' }, cpsc_rules_cited: ['16 CFR 1203'] };

  it('merges objects with the template, replaces lists, and keeps the template value if a field is null', () => {
    const fields = {
      key: 'A',
      manufacturer: { name: 'Elm', address: null },
      cpsc_rules_cited: ['16 CFR 1303'],
      product_info: { name: 'Helmet' },
      testing_lab: null,
      tests: [{ rule: '16 CFR 1303', lab: null }],
    };
    expect(requestOfFields(template, fields)).toEqual({
      manufacturer: { name: 'Elm', address: '1 Alder Street' },
      cpsc_rules_cited: ['16 CFR 1303'],
      product_info: { name: 'Helmet' },
      tests: [{ rule: '16 CFR 1303', lab: null }],
    });
    expect(template.manufacturer.name).toBe('Oak');
  });

  it('converts a field value the same way as a CSV cell if the field name is a path', () => {
    const fields = {
      'product_info.sku': 4711,
      'age_grading.ages.from_months': 36,
      'childrens_product.surface_coating': true,
      'product_info.model': ' ',
      'manufacturer.name': null,
      cpsc_rules_cited: '16 CFR 1250; 16 CFR 1303',
      'tests.0.rule': '16 CFR 1250',
    };
    expect(requestOfFields(template, fields)).toEqual({
      manufacturer: template.manufacturer,
      cpsc_rules_cited: ['16 CFR 1250', '16 CFR 1303'],
      product_info: { sku: '4711' },
      age_grading: { ages: { from_months: 36 } },
      childrens_product: { surface_coating: true },
      tests: [{ rule: '16 CFR 1250' }],
    });
  });

  it('never changes an object’s prototype or splits very long paths', () => {
    const deep = Array(100_000).fill('a').join('.');
    const fields = JSON.parse(`{"__proto__":{"polluted":"yes"},"__proto__.polluted":"yes","${deep}":1}`);
    expect(Object.keys(requestOfFields({}, fields) as object)).toEqual(['__proto__', deep]);
    expect(Object.keys(requestOfCells({}, [deep], ['1']) as object)).toEqual([deep]);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
