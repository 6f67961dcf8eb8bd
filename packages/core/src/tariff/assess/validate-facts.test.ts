import { describe, expect, it } from 'vitest';
import { type Article, AssessError, assess } from './assess.ts';

const errorFor = (facts: unknown) => {
  try {
    assess({ code: '7326.90.8688', as_of: '2026-05-01', origin: 'CN', facts } as Article);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(AssessError);
    return { path: (error as AssessError).path, message: (error as AssessError).message };
  }
};

describe('article fact validation', () => {
  it.each([
    [undefined],
    [null],
    [{}],
    [{ customs_value: null, quota: null, technical: undefined }],
    [{ customs_value: '1000000000000.000000', steel_value: 0, copper_value: 1e12 }],
    [{ us_origin_pct: { steel: null }, quota: { uk_auto_trq: null }, other_duties: [] }],
    [{ melted_and_poured_in: ['us', 'unknown'], other_duties: [{ program: 'AD' }] }],
  ])('accepts the facts %j', facts => {
    expect(errorFor(facts)).toBeNull();
  });

  it.each([
    [[], 'facts', /object with the known facts/],
    ['none', 'facts', /object with the known facts/],
    [{ customs_value: Number.NaN }, 'facts.customs_value', /US dollars/],
    [{ customs_value: Number.POSITIVE_INFINITY }, 'facts.customs_value', /US dollars/],
    [{ customs_value: 1e12 + 1 }, 'facts.customs_value', /US dollars/],
    [{ customs_value: -0.01 }, 'facts.customs_value', /US dollars/],
    [{ customs_value: '1e3' }, 'facts.customs_value', /US dollars/],
    [{ customs_value: '1,000' }, 'facts.customs_value', /US dollars/],
    [{ customs_value: '9'.repeat(100_000) }, 'facts.customs_value', /US dollars/],
    [{ steel_weight_pct: '80' }, 'facts.steel_weight_pct', /from 0 to 100/],
    [{ steel_weight_pct: Number.NaN }, 'facts.steel_weight_pct', /from 0 to 100/],
    [{ column1_rate_pct: 1001 }, 'facts.column1_rate_pct', /from 0 to 1000/],
    [{ end_use: '' }, 'facts.end_use', /1 to 100 characters/],
    [{ end_use: ['other'] }, 'facts.end_use', /1 to 100 characters/],
    [{ certification: [] }, 'facts.certification', /list of 1 to 20/],
    [{ certification: Array(21).fill('none') }, 'facts.certification', /list of 1 to 20/],
    [{ smelted_or_cast_in: 'EU' }, 'facts.smelted_or_cast_in', /alpha-2/],
    [{ usmca_qualifying: 1 }, 'facts.usmca_qualifying', /true or false/],
    [{ us_origin_pct: 100 }, 'facts.us_origin_pct', /percentage by metal/],
    [{ us_origin_pct: { zinc: 1 } }, 'facts.us_origin_pct.zinc', /Unknown field/],
    [{ us_origin_pct: { steel: 101 } }, 'facts.us_origin_pct.steel', /from 0 to 100/],
    [{ quota: { constructor: 'in_quota' } }, 'facts.quota.constructor', /Unknown field/],
    [JSON.parse('{"quota":{"__proto__":"in_quota"}}'), 'facts.quota.__proto__', /Unknown field/],
    [{ quota: { uk_auto_trq: 'full' } }, 'facts.quota.uk_auto_trq', /in_quota or over_quota/],
    [
      { technical: { dram_bandwidth_gb_s: 1 } },
      'facts.technical.total_processing_performance',
      /0 or a positive number/,
    ],
    [{ model_year: 2024.5 }, 'facts.model_year', /year from 1880/],
    [{ other_duties: { program: '301' } }, 'facts.other_duties', /list of at most 50/],
    [{ other_duties: Array(51).fill({ program: '301' }) }, 'facts.other_duties', /list of at most 50/],
    [{ other_duties: [{ rate_pct: 25 }] }, 'facts.other_duties.0.program', /1 to 100 characters/],
    [{ other_duties: [{ program: '301', rate_pct: -1 }] }, 'facts.other_duties.0.rate_pct', /from 0 to 1000/],
    [{ custom_value: 1 }, 'facts.custom_value', /Supported facts: customs_value, /],
    [JSON.parse('{"__proto__":{"customs_value":1}}'), 'facts.__proto__', /Unknown field/],
    [{ toString: 1 }, 'facts.toString', /Unknown field/],
  ])(
    'rejects the facts %j with a message that names the invalid field and explains how to correct it',
    (facts, path, message) => {
      expect(errorFor(facts)).toEqual({ path, message: expect.stringMatching(message) });
      expect(errorFor(facts)!.message).toContain(path);
    },
  );

  it.each([
    [{ melted_and_poured_in: 'US', us_origin_pct: { steel: 0 } }, 'facts.us_origin_pct.steel'],
    [{ melted_and_poured_in: ['US', 'CN'], us_origin_pct: { steel: 100 } }, 'facts.us_origin_pct.steel'],
    [{ smelted_or_cast_in: 'CN', uk_origin_pct: { aluminum: 95 } }, 'facts.uk_origin_pct.aluminum'],
    [{ smelted_or_cast_in: 'unknown', us_origin_pct: { aluminum: 100 } }, 'facts.us_origin_pct.aluminum'],
  ])('rejects the contradictory facts %j', (facts, path) => {
    expect(errorFor(facts)).toEqual({ path, message: expect.stringContaining('contradicts') });
  });

  it('uses the claimed program’s rate from the export without falling back to the general rate', () => {
    const nomenclature = {
      edition: 'HTS 2026 Revision 10',
      numbers: [],
      has: () => true,
      describe: () => null,
      ratesOf: () => ({ general_pct: 5, special_pct: { KR: 0 }, column2_pct: 20 }),
    };
    const combined = (facts: Article['facts'], origin = 'DE') =>
      assess(
        { code: '0101.21.00', as_of: '2026-05-01', origin, facts: { customs_value: 100, ...facts } },
        { nomenclature },
      ).combined_column1_and_232;
    expect(combined({})).toBe(5);
    expect(combined({ column1_program: 'KR' })).toBe(0);
    expect(combined({ column1_program: 'XX' })).toBeNull();
    expect(combined({ column1_program: 'constructor' })).toBeNull();
    expect(combined({}, 'RU')).toBe(20);
  });
});
