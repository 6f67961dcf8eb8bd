import { ERRORS, type ErrorCode } from '@compliance/contract/errors';

/** Invalid request field: its dotted path, a stable code, and a suggested fix. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** Error that middleware and operations throw, and that `errorResponse` converts to a response. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  /**
   * Additional fields in the response body: request issues, the reason that a scan failed, or the readiness status and
   * checks.
   */
  readonly detail: { issues?: readonly Issue[]; reason?: string; status?: string; checks?: object };
  readonly headers: Record<string, string>;
  constructor(
    code: ErrorCode,
    options: { message?: string; detail?: ApiError['detail']; headers?: Record<string, string> } = {},
  ) {
    super(options.message ?? ERRORS[code].message);
    this.code = code;
    this.detail = options.detail ?? {};
    this.headers = options.headers ?? {};
  }
}
