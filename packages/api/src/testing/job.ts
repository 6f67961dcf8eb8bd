import type { z } from 'zod';
import type { jobDetails } from '../jobs/job-details.ts';

/**
 * A job or error details, as returned in a response. Tests read the links only when the job has them, so the
 * links' types aren't nullable.
 */
export type Job = z.output<typeof jobDetails> & {
  readonly upload_url: string;
  readonly result_url: string;
  readonly message?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
};
