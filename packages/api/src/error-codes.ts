interface ErrorFacts {
  status: number;
  /** What to tell a caller when there is nothing closer to say. */
  message: string;
  /** What happened, at more length, for the page of the code. */
  cause: string;
  /** What the caller can do. */
  remedy: string;
}

/** Every error code of the service. Each has a page at `/docs/errors/<code>`. */
export const ERRORS = {
  invalid_json: {
    status: 400,
    message: 'The body is not JSON.',
    cause: 'The body could not be read as JSON in UTF-8. Nothing was done. The request counts against the limit.',
    remedy: 'Write the body with a JSON library, encode it as UTF-8, and send it whole.',
  },
  invalid_request: {
    status: 400,
    message: 'The request does not fit the operation; see issues.',
    cause:
      'A field is missing, unknown, misspelt or out of its range. `issues` names each: the dotted path of the field, a stable ' +
      'code and what to write instead. Nothing was done. The request counts against the limit.',
    remedy: 'Put right every field that `issues` names, and send the request again. The same request fails again.',
  },
  unauthorized: {
    status: 401,
    message: 'Send a valid API key: Authorization: Bearer <API_KEY>.',
    cause: 'There is no key in the request, or it was never issued, was revoked, or has expired after a rotation.',
    remedy:
      'Send the key as `Authorization: Bearer <API_KEY>`, whole and without quotes. If it was rotated, take the new one. ' +
      'A lost key is not shown again: ask your operator for another.',
  },
  beta: {
    status: 403,
    message: 'The key is not flagged for delegate access.',
    cause: 'The key works, but the closed beta is not open for it. The request counts against the limit.',
    remedy: 'Ask the operator who issued the key to flag it with `delegate:on`. A new key is not needed.',
  },
  scope: {
    status: 403,
    message: 'The key is not for this product area.',
    cause:
      'Each key is for one product area (`tariff`, `pixel` or `entry`) or for `all`, and this one is for another area.',
    remedy: 'Use a key of the area that the operation names, or ask the operator for the scope `all`.',
  },
  link_invalid: {
    status: 403,
    message: 'The link is not valid. Ask for a fresh one on the page of the certificate.',
    cause: 'The link to the PDF was changed or cut short, or the service has changed the keys that sign links.',
    remedy: 'Open the page of the certificate, the `verification_url`, and take the link from there.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this path.',
    cause: 'No operation and no page has this path. Paths are case-sensitive and take no slash at the end.',
    remedy: 'Compare the path with the reference, and the base address with the one that you were given.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not take this method; see Allow.',
    cause: 'The path is right, the method is not. The `Allow` header lists those that it takes.',
    remedy:
      'Send one of the methods in `Allow`. A redirect may have turned a POST into a GET: use https from the start.',
  },
  idempotency_running: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running; see Retry-After.',
    cause: 'Another request with the same `Idempotency-Key` has not ended yet, so its answer is not known.',
    remedy: 'Wait for the seconds in `Retry-After` and send the same request again: it gets the answer of the first.',
  },
  link_expired: {
    status: 410,
    message: 'The link has expired. Ask for a fresh one on the page of the certificate.',
    cause: 'Signed links to a PDF are short-lived, and the time of this one is over. The certificate is still there.',
    remedy: 'Open the page of the certificate, the `verification_url`, and take a fresh link from there.',
  },
  certificate_void: {
    status: 410,
    message: 'The certificate was voided; its page says why.',
    cause: 'The certificate was withdrawn by its issuer, so its PDF is no longer handed out.',
    remedy: 'Do not rely on the certificate. Read the reason on its page, and ask the issuer for a new one.',
  },
  certificate_superseded: {
    status: 410,
    message: 'Another certificate took the place of this one; its page names it.',
    cause: 'The issuer replaced the certificate by a newer one, so its PDF is no longer handed out.',
    remedy: 'Open the page of the certificate and follow the link to the one in force.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is over 256 KiB.',
    cause: 'The body is larger than any request needs, and was not read.',
    remedy: 'Split the request: a look-up takes 1,000 codes in one call.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as Content-Type: application/json.',
    cause: 'The `Content-Type` header is missing or names another type, so the body was not read.',
    remedy: 'Send `Content-Type: application/json`. With curl, `-d` alone sends another type: add the header.',
  },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was used for another body within 24 hours.',
    cause: 'An `Idempotency-Key` stands for one request. This one was sent before with another body.',
    remedy: 'Use a new key, such as a UUID, for each new request, and the same key only for its retries.',
  },
  scan_failed: {
    status: 422,
    message: 'There is no page to scan at this address; see reason.',
    cause:
      'The address leads to no page that can be judged: it is wrong, private, not HTML, or the site turned the scanner away. ' +
      '`reason` says which. No score is made up for a page that was not seen.',
    remedy: 'Open the address in a browser and compare. Scan the public address of the shop, without a password page.',
  },
  rate_limited: {
    status: 429,
    message: 'The limit is used up; see Retry-After.',
    cause:
      'The quota of the minute or of the day is used up. `RateLimit` tells what is left of each, `RateLimit-Policy` how large it is.',
    remedy: 'Wait for the seconds in `Retry-After`. Ask for many codes in one look-up instead of one code in many.',
  },
  internal: {
    status: 500,
    message: 'The service failed. Try again; if it stays, report the request id.',
    cause: 'The fault is ours. What the answer does not say is in our log, under the request id.',
    remedy: 'Try again after a pause. If it stays, report the `request_id`, never the key.',
  },
  upstream: {
    status: 502,
    message: 'The site failed while it was read. Try again later.',
    cause: 'The server of the scanned site broke off, or answered with an error of its own. `reason` says which.',
    remedy: 'Wait for the seconds in `Retry-After` and scan again. If the site stays down, its owner has to mend it.',
  },
  unavailable: {
    status: 503,
    message: 'The service is not ready or has no room; see Retry-After.',
    cause: 'The service is starting, its store cannot be reached, or this part of it is full or not set up.',
    remedy: 'Wait for the seconds in `Retry-After`, where it is given, and try again.',
  },
} as const satisfies Record<string, ErrorFacts>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERRORS;
