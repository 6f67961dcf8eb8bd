import { easternDate, lookup } from '@compliance/core/tariff';
import { z } from 'zod';
import { defineOpenOperation } from '../../operations/operation.ts';
import lookupOperation from '../../operations/tariff-hts-lookup.ts';
import { asOf } from '../../schemas/tariff.ts';

/** The longest text that is taken for a code: ten digits, however they are parted. */
const MAX_LENGTH = 40;

const { results, list } = lookupOperation.response.shape;
const { matches, adjacent_hits } = results.element.shape;

const request = z.strictObject({
  code: z
    .string()
    .max(MAX_LENGTH, `Give at most ${MAX_LENGTH} characters.`)
    .meta({ description: 'An HTS code of 4, 6, 8 or 10 digits, with or without dots.' }),
  as_of: asOf,
});

const response = results.element
  .pick({ code: true, normalized: true, hit: true, in_scope: true, status: true, message: true })
  .extend({
    matches: z.array(
      matches.element.pick({
        program: true,
        role: true,
        hts: true,
        coverage: true,
        annex: true,
        rate_pct: true,
        rate_type: true,
        value_basis: true,
        effective_from: true,
        effective_to: true,
        citation: true,
      }),
    ),
    adjacent_hits: z.array(
      adjacent_hits.element.pick({ relation: true, hts: true, program: true, effective_from: true, citation: true }),
    ),
    list: list.pick({ version: true, known_through: true, as_of: true, programs: true, notice: true }),
  })
  .meta({ id: 'HtsAnswer' });

export default defineOpenOperation({
  id: 'hts',
  method: 'get',
  path: '/api/v0/hts/{code}',
  summary: 'Look one HTS code up in the Section 232 lists',
  description: 'A part of what `tariff.hts.lookup` of v1 answers, for one code and the metals programs.',
  request,
  response,
  examples: [
    { name: 'a listed code', request: { code: '7318.15.2061', as_of: '2026-10-01' } },
    { name: 'a code that is not listed', request: { code: '0101.21.00', as_of: '2026-10-01' } },
  ],
  handle({ code, as_of }, { now }) {
    const { results, list } = lookup([code], { asOf: as_of ?? easternDate(now) });
    return response.parse({ ...results[0], list });
  },
});
