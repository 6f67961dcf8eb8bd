import { ApiError } from '../errors/api-error.ts';
import { byteSize } from '../http/byte-size.ts';
import { MAX_INPUT_BYTES } from './bulk-operations.ts';

/** Returns the error for a file that can't be read. */
export const invalidFile = (message: string) =>
  new ApiError('invalid_request', { detail: { issues: [{ path: 'file', code: 'INVALID_VALUE', message }] } });

/** Returns the error for a file that's larger than a job accepts. */
export const fileTooLarge = () =>
  new ApiError('body_too_large', { message: `Send at most ${byteSize(MAX_INPUT_BYTES)}.` });

/** Returns the error for a file that has more rows than a job accepts. */
export const tooManyRows = (maxRows: number) =>
  new ApiError('body_too_large', { message: `Send at most ${maxRows} rows.` });
