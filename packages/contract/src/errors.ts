interface ErrorFacts {
  status: number;
  /** Default message in the response. */
  message: string;
  /** Explanation of the cause, for the error page. */
  cause: string;
  /** Steps that the caller can take to fix the error. */
  remedy: string;
}

/** All service error codes. Each code has a documentation page at `/docs/errors/<code>`. */
export const ERRORS = {
  invalid_json: {
    status: 400,
    message: "The request body isn't valid JSON.",
    cause:
      "The request body couldn't be parsed as UTF-8 JSON. No action was taken. The request counts toward your rate limit.",
    remedy: "Serialize the body with a JSON library, encode it as UTF-8, and make sure that it isn't truncated.",
  },
  invalid_request: {
    status: 400,
    message: 'The request has invalid fields. See `issues`.',
    cause:
      'A field is missing, unknown, misspelled, or out of range. For each invalid field, `issues` contains the dotted path, a ' +
      'stable code, and a suggested fix. No action was taken. The request counts toward your rate limit.',
    remedy:
      'Fix every field listed in `issues`, and then resend the request. If you retry the request without changes, it will fail again.',
  },
  unauthorized: {
    status: 401,
    message: 'Send a valid API key in the `Authorization` header: `Authorization: Bearer <API_KEY>`.',
    cause: 'The API key is missing, unknown, revoked, or expired.',
    remedy:
      'Send the complete key without quotation marks: `Authorization: Bearer <API_KEY>`. If the key was rotated, use the new ' +
      "key. Lost keys can't be recovered. If you lost your key, ask the service operator for a new key.",
  },
  beta: {
    status: 403,
    message: "This key doesn't have delegate access.",
    cause:
      "The key is valid but doesn't have delegate access, which the closed beta requires. The request counts toward your " +
      'rate limit.',
    remedy: "Ask the operator who issued the key to add `delegate:on` to the key's note. You don't need a new key.",
  },
  scope: {
    status: 403,
    message: "This key doesn't have the required scope.",
    cause:
      "A key's scope is one product area (`tariff`, `pixel`, or `entry`), `render` (`pixel` operations and jobs that render " +
      "pages), or `all`. This key's scope doesn't include the operation.",
    remedy: "Use a key with the required scope, or ask the operator to change your key's scope.",
  },
  link_invalid: {
    status: 403,
    message: "This link isn't valid. Get a new link from the certificate page or from the job.",
    cause: 'The link was modified or truncated, its signing key was removed from the service, or its job was deleted.',
    remedy:
      'For a PDF, open the certificate page at `verification_url`, and download the PDF from there. For a job file, get the job ' +
      'again to receive a new link.',
  },
  not_found: {
    status: 404,
    message: 'Not found.',
    cause:
      "The service doesn't have an operation or page at this path. Paths are case-sensitive and don't end with a slash.",
    remedy: 'Compare the path with the API reference, and make sure that the base URL is correct.',
  },
  certificate_not_found: {
    status: 404,
    message: 'No certificate was found for this ID.',
    cause:
      "The certificate doesn't exist, or it was issued by another account and this operation works only with certificates that your account issued. " +
      'No action was taken.',
    remedy:
      'Check the certificate ID. For operations other than `entry.gcc.verify`, use the API key of the account that issued the certificate.',
  },
  watch_not_found: {
    status: 404,
    message: "Your account doesn't have a watch with this ID.",
    cause: 'The watch was deleted, never existed, or belongs to another account. No action was taken.',
    remedy: "List your account's watches to find the ID.",
  },
  job_not_found: {
    status: 404,
    message: "Your account doesn't have a job with this ID.",
    cause: 'The job was deleted after seven days, never existed, or belongs to another account. No action was taken.',
    remedy: 'Check the ID, or create another job.',
  },
  method_not_allowed: {
    status: 405,
    message: 'Method not allowed. See the `Allow` header for supported methods.',
    cause: "The path exists but doesn't support this HTTP method. The `Allow` header lists the supported methods.",
    remedy:
      'Use one of the methods in the `Allow` header. If a redirect turned a POST request into a GET request, call the HTTPS URL directly.',
  },
  idempotency_running: {
    status: 409,
    message: 'A request with this `Idempotency-Key` is still in progress. Retry after the time in `Retry-After`.',
    cause: "Another request with the same `Idempotency-Key` hasn't finished, so its result isn't available yet.",
    remedy: 'Wait for the number of seconds in `Retry-After`, and then resend the request to get the result.',
  },
  certificate_void: {
    status: 409,
    message: "This certificate was voided, so it can't be changed.",
    cause: 'The certificate was already voided, and voiding is permanent. No action was taken.',
    remedy:
      'Get the certificate to see when and why it was voided. To replace it, issue a new certificate without `supersedes`.',
  },
  certificate_superseded: {
    status: 409,
    message: "This certificate was superseded, so it can't be changed.",
    cause: 'Another certificate has already superseded this one. No action was taken.',
    remedy: 'Get the certificate, and void or supersede the certificate identified by `superseded_by` instead.',
  },
  watch_limit: {
    status: 409,
    message: 'Your account already has the maximum number of watches.',
    cause: 'An account can have up to 20 watches with up to 50,000 codes each. No action was taken.',
    remedy: "Delete a watch that you don't need, or combine the codes from several watches into one watch.",
  },
  job_limit: {
    status: 409,
    message: 'Your account already has the maximum number of unfinished jobs.',
    cause: 'An account can have up to 200 jobs that are running or waiting for a file. No action was taken.',
    remedy: "Wait until a job finishes, or cancel a job that you don't need.",
  },
  job_started: {
    status: 409,
    message: "This job doesn't accept a file.",
    cause:
      'The job already has its file, a newer upload for the job replaced this one, or the job was canceled. No action was taken.',
    remedy: 'Get the job to see its state. To process another file, create another job.',
  },
  job_quota: {
    status: 409,
    message: "This file would exceed your account's daily row limit for this operation.",
    cause:
      'In any 24-hour period, an account can look up 10 million HTS codes, scan 100,000 storefront URLs, render 1,000 ' +
      'storefront URLs, and issue 100,000 certificates of each type. None of the rows in the file were processed.',
    remedy: 'Try again later, or split the file into smaller files and upload only as many rows as your quota allows.',
  },
  webhook_missing: {
    status: 409,
    message: "This watch doesn't have a webhook.",
    cause: 'The watch was created without `webhook_url`, so it has no secret. No action was taken.',
    remedy: "Create a watch with `webhook_url`, or poll for this watch's events.",
  },
  link_expired: {
    status: 410,
    message: 'This link has expired. Get a new link from the certificate page or from the job.',
    cause: "Signed links are short-lived, and this link has expired. The certificate or job itself isn't affected.",
    remedy:
      'For a PDF, open the certificate page at `verification_url`, and download the PDF from there. For a job file, get the job ' +
      'again to receive a new link.',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large.',
    cause:
      'The request body is larger than 256 KiB (16 MiB for a new watch, 14 MiB for a certificate, or 6 MiB for a Registry file), or a job file is larger than 512 MiB or has too many ' +
      "rows. The service didn't process the request.",
    remedy:
      'Split the request or the file into smaller parts. A lookup accepts up to 1,000 codes per call. The files attached to a ' +
      'certificate can total up to 10 MB.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the request body as JSON, and set the `Content-Type` header to `application/json`.',
    cause:
      "The `Content-Type` header is missing or isn't `application/json`, so the service didn't parse the request body.",
    remedy: 'Add the header `Content-Type: application/json`. By default, `curl -d` sends a different content type.',
  },
  idempotency_mismatch: {
    status: 422,
    message: 'This `Idempotency-Key` was used with a different request body in the last 24 hours.',
    cause: 'An `Idempotency-Key` identifies a single request. This key was already sent with a different request body.',
    remedy:
      'Use a new idempotency key, such as a UUID, for each new request. Reuse an idempotency key only to retry the same request.',
  },
  scan_failed: {
    status: 422,
    message: "The page can't be scanned. See `reason`.",
    cause:
      "The URL doesn't lead to a page that can be scanned. For example, the URL is invalid, the site's IP address is private, the " +
      "response isn't HTML, or the site blocks the scanner. See `reason` for the cause. The service scores only pages that " +
      'it can scan.',
    remedy:
      "Open the URL in a browser to make sure that the page loads. Use the public URL of a store that isn't password-protected.",
  },
  rate_limited: {
    status: 429,
    message: 'Rate limit exceeded. Retry after the time in `Retry-After`.',
    cause:
      'You exceeded the per-minute or per-day quota. For each quota, the `RateLimit` header contains the number of remaining ' +
      'requests, and the `RateLimit-Policy` header contains the limit. A site scan counts as seven requests, and creating a ' +
      'watch counts as ten.',
    remedy:
      'Wait for the number of seconds in `Retry-After`. To send fewer requests, look up multiple codes per request.',
  },
  target_busy: {
    status: 429,
    message: 'This site was scanned too often in the last minute. Retry after the time in `Retry-After`.',
    cause:
      'The service sends at most 60 requests per minute to any site, counting the scans of all callers, and this site has reached that limit. Your request still counts toward your own rate limit.',
    remedy: 'Wait for the number of seconds in `Retry-After`, and then scan again.',
  },
  internal: {
    status: 500,
    message: 'Internal error. Try again. If the problem persists, contact support with the request ID.',
    cause:
      'An error occurred in the service. To find the details in the service log, the operator can search for the request ID.',
    remedy:
      'Try again later. If the problem persists, contact support with the `request_id`, but never send your API key.',
  },
  upstream: {
    status: 502,
    message: "The scanned site's server didn't return a valid response. Try again later.",
    cause:
      "The scanned site's server sent an invalid response, dropped the connection, or returned a server error. See `reason`.",
    remedy:
      'Wait for the number of seconds in `Retry-After`, and then scan again. If the problem persists, contact the site owner.',
  },
  unavailable: {
    status: 503,
    message: 'The service is unavailable. Retry after the time in `Retry-After`, if present.',
    cause: "The service is starting, can't reach its data store, is at capacity, or isn't configured for this feature.",
    remedy: 'Wait for the number of seconds in `Retry-After`, if present, and then try again.',
  },
  storage_full: {
    status: 503,
    message: "The service's storage is full, so nothing was saved. Retry after the time in `Retry-After`.",
    cause:
      "The service has run out of disk space or storage quota, so it can't save anything until its operator frees up space. " +
      'Requests that only read data still work.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, and then try again. If the problem persists, contact support with the ' +
      '`request_id`.',
  },
} as const satisfies Record<string, ErrorFacts>;

/** Stable error code in a response. */
export type ErrorCode = keyof typeof ERRORS;
