import { ERRORS } from '@compliance/contract/errors';
import { SERVICE_TOOLS } from '@compliance/mcp';
import { html } from 'hono/html';
import type { Html } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import { ERRORS_INTRODUCTION } from './errors-introduction.ts';

/** Reference topic that applies to all operations. */
interface Topic {
  id: string;
  title: string;
  body: Html;
}

const paragraphs = (...texts: string[]): Html => html`${texts.map(text => html`<p>${prose(text)}</p>\n`)}`;
const items = (...texts: string[]): Html => html`<ul>${texts.map(text => html`<li>${prose(text)}</li>`)}</ul>`;
const lines = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

/** Returns the topics that appear before and after the operations. */
export function referenceTopics(base: string): { before: Topic[]; after: Topic[] } {
  return {
    before: [
      {
        id: 'start',
        title: 'Get started',
        body: html`${paragraphs(
          'The snippets on this page read the base URL and your API key from environment variables, so you can run them without changes.',
        )}${lines(`export COMPLIANCE_BASE_URL=${base}\nexport COMPLIANCE_API_KEY=<your key>\n`)}
<p>To install a client library, run <code>npm install @compliance/client</code> (Node.js 18 or later), <code>pip install portfolio-compliance</code> (Python 3.8 or later), or
<code>go get github.com/portfolio-compliance/compliance-go</code> (Go 1.21 or later). OpenAPI 3.1 documents are available for
<a href="/openapi.yaml">v1</a> and <a href="/api/openapi.json">v0</a>.</p>`,
      },
      {
        id: 'authentication',
        title: 'Authentication and scopes',
        body: html`${paragraphs("Every v1 request requires an API key. v0 requests don't require a key.")}${lines('Authorization: Bearer cmpl_live_…\n')}
${items(
  'A key\'s scope is one product area (`tariff`, `pixel`, or `entry`), `render` (`pixel` operations and jobs that render pages), or `all`. Each operation lists its required scope. If your key doesn\'t have the required scope, requests return `403` with the body `{"error":"scope"}`.',
  'The API is in closed beta. If your key doesn\'t have delegate access, requests return `403` with the body `{"error":"beta"}`.',
  'If the key is missing, unknown, revoked, or expired, requests return `401`.',
  'Operators issue, rotate, and revoke keys. The operator who rotates a key chooses how long the old key remains active. The old and new keys share one rate limit.',
  'The service stores only a hash of each key. Never include your key in web pages, apps, or repositories.',
)}
<p><a href="/beta">Request an API key</a>.</p>`,
      },
    ],
    after: [
      {
        id: 'limits',
        title: 'Rate limits',
        body: html`${items(
          'v1 allows 100 requests per minute and 10,000 requests per day for each key. A rate limit window starts with the first request.',
          'v0 and the home page forms share a limit of 30 requests per minute for each IP address. An IPv6 /64 network counts as one address.',
          "Every request with a valid key counts toward the limit, even if the key lacks the required scope or the body is invalid. Requests that return `401` don't count.",
          'The maximum request body size is 16 MiB for `tariff.watches.create`, 6 MiB for `entry.registry.read`, 14 MiB (including ' +
            'attachments) for operations that issue certificates, and 256 KiB for all other operations. A lookup accepts up to 1,000 codes.',
        )}${paragraphs("If a request counts toward your limits, the response headers contain each limit's quota, remaining requests, and seconds until reset:")}
${lines('RateLimit-Policy: "minute";q=100;w=60, "day";q=10000;w=86400\nRateLimit: "minute";r=42;t=17, "day";r=9871;t=40211\n')}
${paragraphs('If you exceed a limit, the request returns `429`, with the number of seconds to wait in the `Retry-After` header.')}`,
      },
      {
        id: 'agents',
        title: 'AI agents',
        body: html`${paragraphs(
          "AI agents can use the operations as Model Context Protocol (MCP) tools. Add this service to the agent's configuration:",
        )}${lines(`{
  "mcpServers": {
    "compliance": {
      "type": "http",
      "url": "${base}/mcp",
      "headers": { "Authorization": "Bearer <your key>" }
    }
  }
}
`)}
${items(
  `The tools are ${SERVICE_TOOLS.map(({ name }) => `\`${name}\``).join(', ')}. Rules, lists, and error codes are available as resources.`,
  'A tool call requires the same scope as its operation and counts toward the same limits. Any other MCP message counts as one request.',
  'Every tariff result contains citations and the date through which the lists are current.',
)}`,
      },
      {
        id: 'errors',
        title: ERRORS_INTRODUCTION.title,
        body: html`${paragraphs(ERRORS_INTRODUCTION.text)}${lines(`${ERRORS_INTRODUCTION.example}\n`)}
<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr></thead>
<tbody>${Object.entries(ERRORS).map(
          ([code, { status, message }]) =>
            html`<tr><td class="figure">${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${prose(message)}</td></tr>\n`,
        )}</tbody></table>`,
      },
      {
        id: 'idempotency',
        title: 'Idempotency',
        body: html`${paragraphs(
          'Lookups and scans are read-only, so you can repeat them safely. By default, each call to `entry.gcc.generate` or `entry.cpc.generate` stores a new certificate. To retry these calls safely, send an `Idempotency-Key` header with 1 to 255 printable ASCII characters, with or without quotation marks. `entry.gcc.supersede` and `entry.gcc.void` also accept this header.',
        )}${items(
          'If you reuse an idempotency key with the same body within 24 hours, you get the same certificate.',
          'If you reuse an idempotency key with a different body, you get `422 idempotency_mismatch`.',
          'If you reuse an idempotency key while the first request is in progress, you get `409 idempotency_running` and a `Retry-After` header.',
          'When a client library retries a call, it automatically sends the same idempotency key.',
        )}`,
      },
      {
        id: 'versions',
        title: 'Versions and compatibility',
        body: html`${items(
          "Everything under `/api/v1/` is stable. In v1, we don't remove or rename operations, fields, or error codes, and we don't change their meaning.",
          "At any time, we can add operations, optional request fields, response fields, rule IDs, and values for fields such as `status`. Ignore response fields and values that you don't recognize.",
          "Unknown request fields cause an error, so typos don't go unnoticed.",
          'Messages, field order, and tariff lists can change. `list.version` is the version of the tariff data set, and `score_version` identifies the scoring method.',
          'v0 is unstable: its responses can change without a new version number. We announce breaking changes in advance. After v0 is scheduled for retirement, all v0 responses include the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers.',
        )}`,
      },
      {
        id: 'not',
        title: 'Limitations',
        body: html`${items(
          "The service doesn't give legal, customs, or tax advice, and it doesn't file anything with CBP, CPSC, or any other agency.",
          "The service looks up the code that you submit but doesn't classify goods. You or your customs broker must determine the correct code.",
          "The lists are current through the date in `list.known_through` and don't include later changes. If you look up codes for a date after `list.known_through`, the response includes a notice.",
          "The service never reports an unknown value as “no” or zero. If our sources don't specify a rate, the rate is `null`. Unknown facts that determine the duty are listed in `undecided`.",
          "A scan analyzes the page as served, without running its code. A scan can't inspect custom pixels or the checkout, nor any Tag Manager containers that it can't fetch. The result lists the content that the scan couldn't inspect.",
          "A certificate contains the information that you submit. The service doesn't certify or test products. Draft and incomplete certificates are marked as such.",
        )}`,
      },
    ],
  };
}
