import { certificateStatus, certificateSummary } from '@compliance/contract/certificate';
import { calendarDate } from '@compliance/contract/tariff';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { wholeNumber } from '../schemas/query-number.ts';
import { defineOperation } from './operation.ts';

const MAX_SEARCH = 200;
const MAX_LIMIT = 100;

const response = z
  .object({
    certificates: z.array(certificateSummary),
    next_cursor: z.string().nullable().meta({
      description:
        'Cursor for the next page; null on the last page. To get the next page, send this value unchanged as `cursor`.',
    }),
  })
  .meta({ id: 'CertificateList' });

export default defineOperation({
  id: 'entry.gcc.list',
  method: 'get',
  path: '/api/v1/entry/gcc',
  scope: 'entry',
  clientArguments: [],
  summary: 'List certificates',
  description:
    "Returns your account's certificates, newest first, one page at a time. To get the next page, repeat the request with " +
    '`next_cursor` as `cursor`.',
  request: z.strictObject({
    status: certificateStatus.optional(),
    issued_from: calendarDate.optional().meta({
      format: 'date',
      description: 'Earliest issue date to include, in UTC.',
    }),
    issued_to: calendarDate.optional().meta({ format: 'date', description: 'Latest issue date to include, in UTC.' }),
    search: z
      .string()
      .max(MAX_SEARCH, `Use at most ${MAX_SEARCH} characters.`)
      .optional()
      .meta({
        description:
          'Search terms. Each word must occur in the product name, model, or SKU. A word with six or more ' +
          'characters can also match the start of the certificate ID or SHA-256 hash.',
      }),
    limit: wholeNumber(1, MAX_LIMIT, 'Enter a number from 1 to 100.')
      .default(50)
      .meta({ description: 'Maximum number of certificates per page.' }),
    cursor: z
      .string()
      .max(100)
      .optional()
      .meta({ pattern: '^[A-Za-z0-9_-]{48}$', description: '`next_cursor` from the previous page.' }),
  }),
  response,
  errors: ['unavailable'],
  examples: [
    {
      name: 'complete certificates',
      request: { issued_from: '2026-10-01', status: 'complete', search: 'helmet', limit: 20 },
    },
    { name: 'all certificates', request: {} },
  ],
  async handler(filters, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.list(filters, caller);
  },
});
