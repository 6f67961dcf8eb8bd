import { ERRORS } from '@compliance/contract/errors';

/** Introduction to the error codes, used in the API reference and the error index. */
export const ERRORS_INTRODUCTION = {
  title: 'Errors',
  text: 'An error response is a JSON object with a stable code in `error`. In your code, check `error` rather than `message`: messages are for people and can change. When you contact support, include the request ID from the `X-Request-Id` header, but never your API key. If you send the header `Accept: application/problem+json`, the service returns errors as RFC 9457 problem details, with the path of the error page in `type`.',
  example: JSON.stringify(
    {
      error: 'invalid_request',
      issues: [
        { path: 'codes.3', code: 'INVALID_TYPE', message: 'Send each code as a string. Numbers lose leading zeros.' },
      ],
      message: ERRORS.invalid_request.message,
      request_id: '5f0c2a…',
    },
    null,
    2,
  ),
};
