import { asOf } from '@compliance/contract/tariff';
import { easternDate, lookup } from '@compliance/core/tariff';
import { z } from 'zod';
import { definePublicOperation } from '../../operations/operation.ts';
import lookupOperation from '../../operations/tariff-hts-lookup.ts';

/** Maximum length of a code, in characters: 10 digits with any separators. */
const MAX_LENGTH = 40;

const { results, list } = lookupOperation.response.shape;
const { matches, stacking, adjacent_hits } = results.element.shape;

const request = z.strictObject({
  code: z
    .string()
    .max(MAX_LENGTH, `Use at most ${MAX_LENGTH} characters.`)
    .meta({ description: 'HTS code with 4, 6, 8, or 10 digits, with or without dots or spaces.' }),
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
        headings: true,
        rate_pct: true,
        rate_type: true,
        value_basis: true,
        effective_from: true,
        effective_to: true,
        dated_by: true,
        undecided: true,
        citation: true,
      }),
    ),
    stacking,
    adjacent_hits: z.array(
      adjacent_hits.element.pick({ relation: true, hts: true, program: true, effective_from: true, citation: true }),
    ),
    list: list.pick({
      version: true,
      known_through: true,
      as_of: true,
      programs: true,
      not_included: true,
      notice: true,
    }),
  })
  .meta({ id: 'PublicHtsLookupResponse' });

export default definePublicOperation({
  id: 'hts',
  method: 'get',
  path: '/api/v0/hts/{code}',
  summary: 'Look up one HTS code in the Section 232 lists',
  description:
    'Checks one code against all Section 232 programs, and returns a subset of the v1 `tariff.hts.lookup` response.',
  request,
  response,
  examples: [
    { name: 'a listed code', request: { code: '7318.15.2061', as_of: '2026-10-01' } },
    { name: 'an unlisted code', request: { code: '0101.21.00', as_of: '2026-10-01' } },
  ],
  handler({ code, as_of }, { now, dataset }) {
    const { results, list } = lookup([code], { asOf: as_of ?? easternDate(now), dataset });
    return response.parse({ ...results[0], list });
  },
});
