import { html } from 'hono/html';
import { ERRORS } from '../../error-codes.ts';
import type { Html } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';

/** A part of the reference that is about all operations. */
interface Section {
  id: string;
  title: string;
  body: Html;
}

const paragraphs = (...texts: string[]): Html => html`${texts.map(text => html`<p>${prose(text)}</p>\n`)}`;
const items = (...texts: string[]): Html => html`<ul>${texts.map(text => html`<li>${prose(text)}</li>`)}</ul>`;
const lines = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

/** The parts of the reference that stand before and after the operations. */
export function sections(base: string): { before: Section[]; after: Section[] } {
  return {
    before: [
      {
        id: 'start',
        title: 'Start',
        body: html`${paragraphs(
          'Every snippet on this page takes the address of the service and your key from the environment, so that it runs as it stands.',
        )}${lines(`export COMPLIANCE_BASE_URL=${base}\nexport COMPLIANCE_API_KEY=<your key>\n`)}
<p>Clients: <code>npm install @compliance/client</code> (Node ≥ 18), <code>pip install portfolio-compliance</code> (Python ≥ 3.8),
<code>go get github.com/portfolio-compliance/compliance-go</code> (Go ≥ 1.21). Machine-readable: <a href="/openapi.yaml">v1</a>,
<a href="/api/openapi.json">v0</a>, both OpenAPI 3.1.</p>`,
      },
      {
        id: 'authentication',
        title: 'Authentication and scopes',
        body: html`${paragraphs('v1 wants a key on every request. v0 wants none.')}${lines('Authorization: Bearer cmpl_live_…\n')}
${items(
  'A key is for one product area, `tariff`, `pixel` or `entry`, or for `all`. Each operation says which it needs; another key gets `403 {"error":"scope"}`.',
  'The API is in a closed beta. A key that is not flagged for it gets `403 {"error":"beta"}`: these two bodies are exactly that.',
  'A missing, unknown, revoked or expired key gets `401`.',
  'Operators issue, rotate and revoke keys. A rotated key works on for the time that the operator chose, beside its successor, and both share one limit.',
  'The service stores only a hash of a key. Keep it out of pages, apps and repositories.',
)}
<p><a href="/beta">Ask for a key</a>.</p>`,
      },
    ],
    after: [
      {
        id: 'limits',
        title: 'Limits',
        body: html`${items(
          'v1: 100 requests a minute and 10,000 a day for each key. A window starts with the first request in it.',
          'v0, the page for checks included: 30 requests a minute for each address; an IPv6 /64 is one address.',
          'Every request with a valid key counts, also one that is refused for its scope or body. A `401` does not.',
          'A body is at most 256 KiB, a look-up at most 1,000 codes.',
        )}${paragraphs('Every counted answer says how large the limits are, what is left of each, and in how many seconds it starts anew:')}
${lines('RateLimit-Policy: "minute";q=100;w=60, "day";q=10000;w=86400\nRateLimit: "minute";r=42;t=17, "day";r=9871;t=40211\n')}
${paragraphs('A refused request gets `429` and `Retry-After` in seconds, which is true to the second.')}`,
      },
      {
        id: 'errors',
        title: 'Errors',
        body: html`${paragraphs(
          'An error is JSON with a stable code in `error`. Switch on the code; the message is for people and may change. Every answer has `X-Request-Id`: report it, never the key. With `Accept: application/problem+json` the same comes as RFC 9457 problem details, whose `type` is the address of the page of the code.',
        )}${lines(`${JSON.stringify({ error: 'invalid_request', issues: [{ path: 'codes.3', code: 'INVALID_TYPE', message: 'Give each code as text; a number loses leading zeros.' }], message: ERRORS.invalid_request.message, request_id: '5f0c2a…' }, null, 2)}\n`)}
<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead>
<tbody>${Object.entries(ERRORS).map(
          ([code, { status, message }]) =>
            html`<tr><td class="figure">${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${message}</td></tr>\n`,
        )}</tbody></table>`,
      },
      {
        id: 'idempotency',
        title: 'Idempotency',
        body: html`${paragraphs(
          'Look-ups and scans change nothing: repeat them as you like. A certificate is made once and kept, so `entry.gcc.generate` takes an `Idempotency-Key` header of 1 to 255 printable characters, quoted or bare.',
        )}${items(
          'The same key with the same body within 24 hours gets the same certificate, however often it is sent.',
          'The same key with another body gets `422 idempotency_mismatch`.',
          'The same key while the first request runs gets `409 idempotency_running` and `Retry-After`.',
          'The clients send one key for all tries of a call by themselves.',
        )}`,
      },
      {
        id: 'versions',
        title: 'Versions and compatibility',
        body: html`${items(
          'What is under `/api/v1/` stays. Operations, fields, error codes and their meaning are not removed or renamed within v1.',
          'v1 grows: new operations, optional request fields, answer fields, rule ids and values such as `status` may come at any time. Ignore what you do not know; answers are open objects.',
          'Requests are strict: a field that is not known is an error, so that a misspelt one is not lost.',
          'Messages, the order of fields and the lists themselves may change. `list.version` names the edition that answered, `score_version` the way of scoring.',
          'v0 promises nothing: its shapes may change without notice in the path. Breaking changes are announced ahead of time. When an end of v0 is decided, every answer of it says so in `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).',
        )}`,
      },
      {
        id: 'not',
        title: 'What the service does not do',
        body: html`${items(
          'It gives no legal, customs or tax advice, and it files nothing with CBP, CPSC or anyone else.',
          'It does not classify goods: it says what the lists hold for the code that you give. Whether that code is right is for you or your broker.',
          'The lists are known through a date, `list.known_through`. After it they may have changed, and the answer says so.',
          'Unknown is never “no” and never zero: a rate that our sources do not give is `null`, a fact that decides a duty is named in `undecided`.',
          'A scan reads the page as it is served and runs nothing. It does not see inside a Tag Manager container, a custom pixel or a checkout, and says what it did not see.',
          'A certificate says what you state. The service attests for nobody, tests nothing, and marks as a draft what lacks something.',
        )}`,
      },
    ],
  };
}
