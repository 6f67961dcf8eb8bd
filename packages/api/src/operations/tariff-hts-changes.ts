import { compareForCodes } from '@compliance/core/tariff';
import { z } from 'zod';
import { listChanges, listingChange } from '../schemas/list-changes.ts';
import { calendarDate, htsCodes, programs } from '../schemas/tariff.ts';
import { defineOperation } from './operation.ts';

const request = z
  .strictObject({
    codes: htsCodes.meta({
      description:
        'HTS codes with 4, 6, 8, or 10 digits, with or without dots or spaces. The response includes a change if the changed ' +
        'provision covers a submitted code or is a subdivision of one.',
    }),
    from: calendarDate,
    to: calendarDate,
    programs,
  })
  .meta({ id: 'CodeChangesRequest' });

const change = listingChange
  .extend({ codes: z.array(z.string()).meta({ description: 'The submitted codes that the change affects.' }) })
  .meta({ id: 'CodeChange' });

const response = listChanges(change)
  .extend({
    invalid_codes: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .meta({ description: "Submitted strings that aren't HTS codes. The comparison ignores them." }),
  })
  .meta({
    id: 'CodeChanges',
    description: "If a provision's annex and rate both change, the provision is in both `moved` and `rate_changed`.",
  });

export default defineOperation({
  id: 'tariff.hts.changes',
  method: 'post',
  path: '/api/v1/tariff/changes',
  scope: 'tariff',
  clientArguments: 'request',
  summary: 'Compare the Section 232 lists on two dates for your HTS codes',
  description:
    'Compares the Section 232 lists on two dates and returns only the changes that affect the submitted HTS codes (up to 1,000). ' +
    "Headings that depend on the origin or on other facts aren't compared.",
  request,
  response,
  examples: [
    {
      name: 'the changes of a day for two codes',
      request: { codes: ['9403.20.0075', '8708.29'], from: '2026-06-07', to: '2026-06-08' },
    },
  ],
  handler: ({ codes, from, to, programs }) => compareForCodes(codes, from, to, programs),
});
