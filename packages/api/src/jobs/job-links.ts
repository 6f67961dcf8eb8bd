import { createLinks, type LinkKeys, type Links } from '../certificates/links.ts';

/** Signed links to a bulk job's files, and the public base URL of the service. */
export interface JobLinks {
  readonly input: Links;
  readonly result: Links;
  readonly certificates: Links;
  readonly baseUrl: string;
}

/** Routes for the input file, the result file, and the certificate ZIP file. */
export const JOB_ROUTES = {
  input: '/jobs/:id/input',
  result: '/jobs/:id/result',
  certificates: '/jobs/:id/certificates',
} as const;

/**
 * Creates the functions that sign and verify bulk job links.
 *
 * @throws RangeError like `createLinks`
 * @example createJobLinks({ active: 'k1', keys: { k1: randomBytes(32) } }, 'https://compliance.example')
 */
export function createJobLinks(keys: LinkKeys, baseUrl: string): JobLinks {
  return {
    input: createLinks(keys, { label: 'job-in', method: 'PUT', path: id => `/jobs/${id}/input` }),
    result: createLinks(keys, { label: 'job-out', method: 'GET', path: id => `/jobs/${id}/result` }),
    certificates: createLinks(keys, { label: 'job-zip', method: 'GET', path: id => `/jobs/${id}/certificates` }),
    baseUrl,
  };
}

/** Returns a bulk job's link target, which always has an empty hash. */
export const jobTarget = (id: string) => ({ id, sha256: '' });
