import { compare } from '@compliance/core/tariff';
import { z } from 'zod';
import { listChanges, listingChange } from '../schemas/list-changes.ts';
import { calendarDate } from '../schemas/tariff.ts';
import { defineOperation } from './operation.ts';

const response = listChanges(listingChange).meta({
  id: 'ListChanges',
  description: "If a provision's annex and rate both change, the provision is in both `moved` and `rate_changed`.",
});

export default defineOperation({
  id: 'tariff.changes',
  method: 'get',
  path: '/api/v1/tariff/changes',
  scope: 'tariff',
  summary: 'Compare the Section 232 lists on two dates',
  description:
    'Returns listings that were added, removed, moved to another annex, or assigned a different rate between two dates. Headings ' +
    "that depend on the origin or on other facts aren't compared.",
  request: z.strictObject({ from: calendarDate, to: calendarDate }),
  response,
  clientArguments: ['from', 'to'],
  examples: [{ name: 'the changes of a day', request: { from: '2026-06-07', to: '2026-06-08' } }],
  handler({ from, to }) {
    return compare(from, to);
  },
});
