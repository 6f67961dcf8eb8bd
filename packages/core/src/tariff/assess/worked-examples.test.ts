import { describe, expect, it } from 'vitest';
import { type Article, assess } from './assess.ts';

/**
 * An entry whose duties were calculated by hand from the printed rates. `duties` contains each Chapter 99 heading with
 * its rate and amount. `combined` is the total of the column 1 duty and these duties, and `total` also includes the
 * declared duties.
 */
interface Example {
  readonly source: string;
  readonly article: Article;
  readonly duties: readonly (readonly [heading: string | null, rate: number, amount: number])[];
  readonly combined?: number;
  readonly total?: number;
}

const entry = (code: string, as_of: string, origin: string, facts: Article['facts']): Article => ({
  code,
  as_of,
  origin,
  facts: facts!,
});
/**
 * Facts that determine the 2026 metals headings for an article without a certification, special end use, or US-origin
 * metal.
 */
const PLAIN = {
  certification: 'none',
  end_use: 'other',
  us_origin_pct: { steel: 0, aluminum: 0, copper: 0 },
  smelted_or_cast_in: 'CN',
};
const CAR = { end_use: 'passenger_vehicle', model_year: 2024, customs_value: 30000, column1_rate_pct: 2.5 };
const CAR_PART = { end_use: 'passenger_vehicle_part', customs_value: 2000, column1_rate_pct: 2.5 };
const WOOD = { certification: 'none', customs_value: 1000, column1_rate_pct: 0 };

const EXAMPLES: Record<string, Example[]> = {
  'steel and aluminum until 2025-03-11': [
    {
      source: 'Heading 9903.80.01, HTS 2025 Basic; Proclamation 9705',
      article: entry('7208.51.0030', '2019-05-01', 'CN', { customs_value: 12345.67, column1_rate_pct: 0, quota: {} }),
      duties: [['9903.80.01', 25, 3086.42]],
      combined: 3086.42,
    },
    {
      source: 'Heading 9903.85.01, HTS 2025 Basic; Proclamation 9704',
      article: entry('7606.12.3091', '2019-05-01', 'CN', {
        customs_value: 10000,
        column1_rate_pct: 3,
        quota: {},
        smelted_or_cast_in: 'CN',
      }),
      duties: [['9903.85.01', 10, 1000]],
      combined: 1300,
    },
  ],
  'steel and aluminum from 2025-03-12 to 2026-04-05': [
    {
      source: 'Heading 9903.81.87, HTS 2025 Revision 4; Proclamation 10896',
      article: entry('7208.51.0030', '2025-03-12', 'DE', { customs_value: 100000, column1_rate_pct: 0 }),
      duties: [['9903.81.87', 25, 25000]],
      combined: 25000,
    },
    {
      source: 'Heading 9903.81.87, HTS 2025 Revision 14; Proclamation 10947, effective 2025-06-04',
      article: entry('7208.51.0030', '2025-06-04', 'IN', { customs_value: 100000, column1_rate_pct: 0 }),
      duties: [['9903.81.87', 50, 50000]],
      combined: 50000,
    },
    {
      source: 'Change record of HTS 2025 Revision 14: the 50% rate is effective 2025-06-04, not in May',
      article: entry('7208.51.0030', '2025-06-03', 'IN', { customs_value: 100000, column1_rate_pct: 0 }),
      duties: [['9903.81.87', 25, 25000]],
    },
    {
      source: 'Heading 9903.81.94, HTS 2025 Revision 14: products of the United Kingdom',
      article: entry('7208.51.0030', '2025-08-01', 'GB', {
        customs_value: 8000,
        column1_rate_pct: 0,
        end_use: 'other',
      }),
      duties: [['9903.81.94', 25, 2000]],
    },
    {
      source: 'Heading 9903.81.91 and CSMS 64348411: the duty is on the value of the steel content',
      article: entry('8431.31.0020', '2025-04-01', 'CN', {
        customs_value: 1000,
        steel_value: 400,
        column1_rate_pct: 0,
        us_origin_pct: { steel: 0 },
      }),
      duties: [['9903.81.91', 25, 100]],
      combined: 100,
    },
    {
      source:
        'Heading 9903.81.92, HTS 2025 Revision 4: processed abroad from steel melted and poured in the United States',
      article: entry('8431.31.0020', '2025-04-01', 'CN', {
        customs_value: 1000,
        column1_rate_pct: 0,
        melted_and_poured_in: 'US',
      }),
      duties: [['9903.81.92', 0, 0]],
    },
    {
      source: 'Headings 9903.81.91 and 9903.85.08: one duty on the steel, one on the aluminum (CSMS 65236574)',
      article: entry('0402.99.68', '2025-09-01', 'BR', {
        customs_value: 500,
        steel_value: 60,
        aluminum_value: 40,
        column1_rate_pct: 0,
        us_origin_pct: { steel: 0, aluminum: 0 },
        smelted_or_cast_in: 'BR',
      }),
      duties: [
        ['9903.85.08', 50, 20],
        ['9903.81.91', 50, 30],
      ],
    },
    {
      source:
        'Heading 9903.81.90: derivatives in chapter 73 are dutiable on the full value (Proclamation 10947, clause 6)',
      article: entry('7307.21.5000', '2025-07-01', 'KR', {
        customs_value: 2500,
        column1_rate_pct: 5.6,
        us_origin_pct: { steel: 0 },
        end_use: 'other',
      }),
      duties: [['9903.81.90', 50, 1250]],
      combined: 1390,
    },
    {
      source: 'Heading 9903.85.67: any primary aluminum smelted in Russia',
      article: entry('7606.12.3091', '2025-05-01', 'TR', {
        customs_value: 1000,
        column1_rate_pct: 3,
        smelted_or_cast_in: ['RU', 'TR'],
      }),
      duties: [['9903.85.67', 200, 2000]],
      combined: 2030,
    },
    {
      source:
        'CSMS 65340246, effective 2025-06-28: an unknown country of smelt and cast is subject to the rate for Russia',
      article: entry('7606.12.3091', '2025-07-01', 'TR', {
        customs_value: 1000,
        column1_rate_pct: 3,
        smelted_or_cast_in: 'unknown',
      }),
      duties: [['9903.85.67', 200, 2000]],
    },
    {
      source: 'CSMS 65340246: not in effect before 2025-06-28',
      article: entry('7606.12.3091', '2025-06-27', 'TR', {
        customs_value: 1000,
        column1_rate_pct: 3,
        smelted_or_cast_in: 'unknown',
      }),
      duties: [['9903.85.02', 50, 500]],
    },
    {
      source: 'Heading 9903.78.01, HTS 2025 Revision 17: 50% on the value of the copper content',
      article: entry('7411.10.1030', '2025-10-01', 'CL', {
        customs_value: 5000,
        copper_value: 4200,
        copper_weight_pct: 95,
        column1_rate_pct: 1.5,
        end_use: 'other',
        certification: 'none',
      }),
      duties: [['9903.78.01', 50, 2100]],
      combined: 2175,
    },
  ],
  'metals since 2026-04-06': [
    {
      source: 'CBP Form 7501 reconciled in Auxx-Ai/auxx-ai#2255: 7326.90.8688 from China, $14,172.00, 77.90% in total',
      article: entry('7326.90.8688', '2026-09-01', 'CN', {
        ...PLAIN,
        customs_value: '14172.00',
        column1_rate_pct: 2.9,
        steel_weight_pct: 100,
        other_duties: [{ program: '301', rate_pct: 25 }],
      }),
      duties: [['9903.82.02', 50, 7086]],
      combined: 7496.99,
      total: 11039.99,
    },
    {
      source: 'Heading 9903.82.02: articles of steel',
      article: entry('7208.51.0030', '2026-05-01', 'DE', { ...PLAIN, customs_value: 100000, column1_rate_pct: 0 }),
      duties: [['9903.82.02', 50, 50000]],
    },
    {
      source: 'Heading 9903.82.09: derivatives of Annex I-B with at least 15% metal by weight',
      article: entry('7321.11.3000', '2026-05-01', 'TH', {
        ...PLAIN,
        customs_value: 640,
        column1_rate_pct: 0,
        steel_weight_pct: 80,
      }),
      duties: [['9903.82.09', 25, 160]],
    },
    {
      source: 'Heading 9903.82.03 and note 16(c): less than 15% of the weight, outside chapters 72, 73, 74, and 76',
      article: entry('8418.99.8005', '2026-05-01', 'MX', {
        ...PLAIN,
        customs_value: 640,
        column1_rate_pct: 0,
        steel_weight_pct: 6,
        aluminum_weight_pct: 8,
        copper_weight_pct: 0,
        usmca_qualifying: false,
      }),
      duties: [['9903.82.03', 0, 0]],
      combined: 0,
    },
    {
      source: 'Heading 9903.82.04: 95% of the aluminum smelted or most recently cast in the United Kingdom',
      article: entry('7606.12.3091', '2026-05-01', 'GB', {
        end_use: 'other',
        certification: 'none',
        customs_value: 1000,
        column1_rate_pct: 3,
        smelted_or_cast_in: 'GB',
        aluminum_weight_pct: 99,
      }),
      duties: [['9903.82.04', 25, 250]],
      combined: 280,
    },
    {
      source:
        'Heading 9903.82.06 and note 16(e): 95% of the steel melted and poured in the United States through 2026-06-07',
      article: entry('7321.11.3000', '2026-06-07', 'TH', {
        ...PLAIN,
        us_origin_pct: { steel: 90 },
        customs_value: 640,
        column1_rate_pct: 0,
        steel_weight_pct: 80,
      }),
      duties: [['9903.82.09', 25, 160]],
    },
    {
      source: 'Proclamation 11032, clause 4: 85% of the steel is sufficient from 2026-06-08',
      article: entry('7321.11.3000', '2026-06-08', 'TH', {
        ...PLAIN,
        us_origin_pct: { steel: 90 },
        customs_value: 640,
        column1_rate_pct: 0,
        steel_weight_pct: 80,
      }),
      duties: [['9903.82.06', 10, 64]],
    },
    {
      source: 'Heading 9903.82.10 and note 16(f): a total rate of 15%, including the column 1 duty',
      article: entry('8504.34.0000', '2026-05-01', 'CA', {
        ...PLAIN,
        customs_value: 20000,
        column1_rate_pct: 1.6,
        aluminum_weight_pct: 40,
        usmca_qualifying: false,
      }),
      duties: [['9903.82.10', 15, 3000]],
      combined: 3000,
    },
    {
      source: 'Heading 9903.82.12: countries of general note 3(b)',
      article: entry('8504.34.0000', '2026-05-01', 'BY', {
        ...PLAIN,
        customs_value: 20000,
        column2_rate_pct: 35,
        aluminum_weight_pct: 40,
      }),
      duties: [['9903.82.12', 25, 5000]],
      combined: 12000,
    },
    {
      source: 'Heading 9903.82.14: steel of the Russian Federation',
      article: entry('7208.51.0030', '2026-05-01', 'RU', {
        ...PLAIN,
        customs_value: 1000,
        column2_rate_pct: 20,
      }),
      duties: [['9903.82.14', 50, 500]],
      combined: 700,
    },
    {
      source: 'Heading 9903.85.68: derivative aluminum articles of the Russian Federation',
      article: entry('7610.10.0010', '2026-05-01', 'RU', {
        ...PLAIN,
        customs_value: 1000,
        column2_rate_pct: 45,
      }),
      duties: [['9903.85.68', 200, 2000]],
      combined: 2450,
    },
    {
      source:
        'Proclamation 11032, clause (2)(b): a total rate of 15% for mobile industrial equipment of the European Union',
      article: entry('8427.10.4000', '2026-07-01', 'DE', {
        ...PLAIN,
        customs_value: 50000,
        column1_rate_pct: 0,
        steel_weight_pct: 70,
      }),
      duties: [['9903.82.22', 15, 7500]],
      combined: 7500,
    },
    {
      source: 'Headings 9903.82.20 and .21: 25% on the non-US content, US content counted up to 40%',
      article: entry('8427.10.4000', '2026-07-01', 'MX', {
        ...PLAIN,
        customs_value: 50000,
        us_content_value: 30000,
        usmca_qualifying: true,
        commerce_approval: 'us_content',
        column1_rate_pct: 0,
        steel_weight_pct: 70,
      }),
      duties: [['9903.82.20', 25, 7500]],
    },
    {
      source: 'Heading 9903.82.13 and note 16(g): motorcycle parts',
      article: entry('8708.99.8180', '2026-05-01', 'JP', {
        ...PLAIN,
        end_use: 'motorcycle_part',
        customs_value: 300,
        column1_rate_pct: 2.5,
        steel_weight_pct: 60,
        aluminum_weight_pct: 30,
      }),
      duties: [['9903.82.13', 0, 0]],
      combined: 7.5,
    },
  ],
  'vehicles and parts': [
    {
      source: 'Heading 9903.94.01, HTS 2025 Revision 6',
      article: entry('8703.23.0140', '2025-04-03', 'JP', CAR),
      duties: [['9903.94.01', 25, 7500]],
      combined: 8250,
    },
    {
      source: 'Heading 9903.94.41 and CSMS 66319804: a total rate of 15%, reported under the Chapter 99 heading',
      article: entry('8703.23.0140', '2025-12-15', 'JP', CAR),
      duties: [['9903.94.41', 15, 4500]],
      combined: 4500,
    },
    {
      source: 'Change record of HTS 2025 Revision 23: Japan from 2025-09-16',
      article: entry('8703.23.0140', '2025-09-15', 'JP', CAR),
      duties: [['9903.94.01', 25, 7500]],
    },
    {
      source: 'Change record of HTS 2025 Revision 24: the European Union from 2025-08-01',
      article: entry('8703.23.0140', '2025-08-01', 'DE', CAR),
      duties: [['9903.94.51', 15, 4500]],
    },
    {
      source: 'Heading 9903.94.50: no additional duty if the column 1 rate is at least 15%',
      article: entry('8704.31.0120', '2025-10-01', 'DE', { ...CAR, column1_rate_pct: 25 }),
      duties: [['9903.94.50', 0, 0]],
      combined: 7500,
    },
    {
      source: 'Change record of HTS 2025 Revision 32: Korea from 2025-11-01',
      article: entry('8703.80.0000', '2025-11-01', 'KR', { ...CAR, column1_program: 'KR', column1_rate_pct: 0 }),
      duties: [['9903.94.61', 15, 4500]],
    },
    {
      source: 'Heading 9903.94.31 and 90 FR 27851: within the United Kingdom quota',
      article: entry('8703.23.0140', '2025-06-30', 'GB', { ...CAR, quota: { uk_auto_trq: 'in_quota' } }),
      duties: [['9903.94.31', 7.5, 2250]],
      combined: 3000,
    },
    {
      source: 'Note 33(i): over the quota, the full rate',
      article: entry('8703.23.0140', '2026-06-30', 'GB', { ...CAR, quota: { uk_auto_trq: 'over_quota' } }),
      duties: [['9903.94.01', 25, 7500]],
    },
    {
      source: 'Note 33(i): the quota is for passenger vehicles of heading 8703, not for light trucks',
      article: entry('8704.31.0120', '2026-06-30', 'GB', { ...CAR, quota: { uk_auto_trq: 'in_quota' } }),
      duties: [['9903.94.01', 25, 7500]],
    },
    {
      source: 'Heading 9903.94.03 and note 33(d): 25% on the non-US content',
      article: entry('8703.23.0140', '2026-01-15', 'CA', {
        ...CAR,
        column1_rate_pct: 0,
        column1_program: 'S',
        usmca_qualifying: true,
        commerce_approval: 'us_content',
        us_content_value: 12000,
      }),
      duties: [['9903.94.03', 25, 4500]],
    },
    {
      source: 'Heading 9903.94.04 and note 33(e): at least 25 years old',
      article: entry('8703.23.0140', '2026-01-15', 'JP', { ...CAR, model_year: 2001 }),
      duties: [['9903.94.04', 0, 0]],
      combined: 750,
    },
    {
      source: 'Heading 9903.94.05, HTS 2025 Revision 11; note 33(f): no steel duty on the part',
      article: entry('8708.30.5020', '2025-07-01', 'CN', CAR_PART),
      duties: [['9903.94.05', 25, 500]],
      combined: 550,
    },
    {
      source: 'Heading 9903.94.32 and note 33(j): a total rate of 10% for parts of vehicles made in the United Kingdom',
      article: entry('8708.30.5020', '2025-07-01', 'GB', { ...CAR_PART, end_use: 'uk_vehicle_part' }),
      duties: [['9903.94.32', 10, 200]],
      combined: 200,
    },
    {
      source: 'Heading 9903.94.55 and note 33(r): certified parts of Japan outside note 33(g)',
      article: entry('8708.99.8180', '2026-05-01', 'JP', {
        certification: 'automobile_part',
        customs_value: 1000,
        column1_rate_pct: 2.5,
      }),
      duties: [['9903.94.55', 15, 150]],
      combined: 150,
    },
    {
      source: 'Heading 9903.74.01, HTS 2025 Revision 26',
      article: entry('8701.21.0080', '2025-11-01', 'DE', {
        end_use: 'heavy_vehicle',
        model_year: 2025,
        customs_value: 120000,
        column1_rate_pct: 4,
      }),
      duties: [['9903.74.01', 25, 30000]],
      combined: 34800,
    },
    {
      source: 'Heading 9903.74.02 and note 38(a): buses, and no steel duty on them',
      article: entry('8702.10.6100', '2025-11-01', 'BR', {
        model_year: 2025,
        customs_value: 90000,
        column1_rate_pct: 2,
      }),
      duties: [['9903.74.02', 10, 9000]],
      combined: 10800,
    },
  ],
  'wood products': [
    {
      source: 'Heading 9903.76.01, HTS 2025 Revision 25',
      article: entry('4403.21.0100', '2025-10-14', 'CA', { ...WOOD, usmca_qualifying: false }),
      duties: [['9903.76.01', 10, 100]],
    },
    {
      source: 'Heading 9903.76.02',
      article: entry('9401.61.4011', '2025-11-01', 'VN', WOOD),
      duties: [['9903.76.02', 25, 250]],
    },
    {
      source: 'Heading 9903.76.20: products of the United Kingdom',
      article: entry('9401.61.4011', '2025-11-01', 'GB', WOOD),
      duties: [['9903.76.20', 10, 100]],
    },
    {
      source: 'Heading 9903.76.22: products of the European Union',
      article: entry('9403.40.9060', '2025-11-01', 'IT', { ...WOOD, end_use: 'kitchen_cabinet_or_vanity' }),
      duties: [['9903.76.22', 15, 150]],
    },
    {
      source: 'Heading 9903.76.23 and the change record of HTS 2025 Revision 32: Korea from 2025-11-14',
      article: entry('9401.61.4011', '2025-11-14', 'KR', WOOD),
      duties: [['9903.76.23', 15, 150]],
    },
    {
      source: 'Heading 9903.76.04 and note 37(g)',
      article: entry('9403.60.8093', '2025-11-01', 'VN', { ...WOOD, end_use: 'other' }),
      duties: [['9903.76.04', 0, 0]],
    },
    {
      source: 'Proclamation of 2025-12-31: cabinets at 50% from 2027-01-01',
      article: entry('9403.40.9060', '2027-01-01', 'VN', { ...WOOD, end_use: 'kitchen_cabinet_or_vanity' }),
      duties: [['9903.76.03', 50, 500]],
    },
  ],
  'semiconductors, pharmaceuticals, drones, and polysilicon': [
    {
      source: 'Heading 9903.79.01 and note 39(b)(1): within the first window',
      article: entry('8473.30.5100', '2026-02-01', 'TW', {
        end_use: 'other',
        customs_value: 20000,
        column1_rate_pct: 0,
        technical: { total_processing_performance: 15000, dram_bandwidth_gb_s: 4800 },
      }),
      duties: [['9903.79.01', 25, 5000]],
    },
    {
      source: 'Heading 9903.79.03 and note 39(d)(i): for use in US data centers',
      article: entry('8471.80.4000', '2026-05-01', 'TW', {
        end_use: 'us_data_center',
        certification: 'none',
        customs_value: 20000,
        column1_rate_pct: 0,
        technical: { total_processing_performance: 20900, dram_bandwidth_gb_s: 6000 },
      }),
      duties: [['9903.79.03', 0, 0]],
    },
    {
      source: 'Heading 9903.04.60, U.S. note 40: patented pharmaceuticals',
      article: entry('3002.15.0091', '2026-10-01', 'IN', {
        patented: true,
        generic: false,
        end_use: 'other',
        commerce_approval: 'none',
        company_agreement: 'none',
        certification: 'none',
        customs_value: 700,
        column1_rate_pct: 0,
      }),
      duties: [['9903.04.60', 100, 700]],
    },
    {
      source: 'Heading 9903.04.67, U.S. note 40: generic drugs',
      article: entry('3002.15.0091', '2026-10-01', 'IN', {
        patented: false,
        generic: true,
        end_use: 'other',
        customs_value: 700,
        column1_rate_pct: 0,
      }),
      duties: [['9903.04.67', 0, 0]],
    },
    {
      source: 'Heading 9903.04.62, U.S. note 40: a total rate of 15% for products of Switzerland',
      article: entry('3002.15.0091', '2026-10-01', 'CH', {
        patented: true,
        generic: false,
        end_use: 'other',
        commerce_approval: 'none',
        company_agreement: 'none',
        certification: 'none',
        customs_value: 700,
        column1_rate_pct: 0,
      }),
      duties: [['9903.04.62', 15, 105]],
    },
    {
      source: 'Heading 9903.08.21, U.S. note 43',
      article: entry('8806.24.0000', '2026-10-01', 'CN', {
        end_use: 'other',
        commerce_approval: 'none',
        certification: 'none',
        customs_value: 9000,
        column1_rate_pct: 0,
      }),
      duties: [['9903.08.21', 100, 9000]],
    },
    {
      source: 'Heading 9903.08.22, U.S. note 43: without thermal imaging',
      article: entry('8806.22.0000', '2026-10-01', 'CN', {
        thermal_imaging: false,
        end_use: 'other',
        commerce_approval: 'none',
        certification: 'none',
        customs_value: 900,
        column1_rate_pct: 0,
      }),
      duties: [['9903.08.22', 25, 225]],
    },
    {
      source: 'Proclamation of 2026-08-06: solar cells at 15% from 2026-12-04',
      article: entry('3818.00.0020', '2026-12-04', 'CN', { customs_value: 1000, column1_rate_pct: 0 }),
      duties: [[null, 15, 150]],
    },
  ],
};

describe('assess', () => {
  for (const [era, examples] of Object.entries(EXAMPLES)) {
    describe(era, () => {
      it.each(examples.map(example => [example.source, example] as const))(
        'returns the duties calculated by hand from this source: %s',
        (_, { article, duties, combined, total }) => {
          const result = assess(article);
          expect(result.duties?.map(duty => [duty.heading, duty.rate_pct, duty.amount])).toEqual(duties);
          expect(result.total_232).toBe(duties.reduce((sum, [, , amount]) => sum + amount, 0));
          if (combined !== undefined) expect(result.combined_column1_and_232).toBe(combined);
          if (total !== undefined) expect([result.total, result.total_rate_pct]).toEqual([total, 77.9]);
        },
      );
    });
  }

  it('warns if the code has no heading for the specified certification', () => {
    const caveats = (code: string) =>
      assess(entry(code, '2026-05-01', 'JP', { certification: 'automobile_part' })).caveats.map(({ id }) => id);
    expect(caveats('3926.30.1000')).toContain('certification_not_assessed');
    expect(caveats('8708.99.8180')).not.toContain('certification_not_assessed');
  });

  it('warns if a listing was verified only for later dates', () => {
    const { caveats } = assess(entry('8708.30.5020', '2025-07-01', 'CN', CAR_PART));
    expect(caveats.map(({ id }) => id)).toContain('membership_not_verified');
  });
});
