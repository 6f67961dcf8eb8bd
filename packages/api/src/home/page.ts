import type { Dataset, ListsInForce } from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { z } from 'zod';
import { textField } from '../pages/field.ts';
import type { Html } from '../pages/page.ts';
import type hts from '../v0/operations/hts.ts';
import type scan from '../v0/operations/scan.ts';
import { errorNotice, fieldError } from './error-notice.ts';
import { lookupResult } from './lookup-result.ts';
import type { CheckOutcome } from './run-check.ts';
import { scanResult } from './scan-result.ts';

interface Home {
  code: CheckOutcome<z.output<typeof hts.response>>;
  url: CheckOutcome<z.output<typeof scan.response>>;
  lists: ListsInForce;
  dataset: Dataset;
  requestId: string;
}

/** Renders the home page, with the outcome of any submitted check. */
export function homeBody({ code, url, lists, dataset, requestId }: Home): Html {
  const derivatives = lists.lists.filter(({ role }) => role === 'derivative');
  const provisions = derivatives.reduce((sum, { listings }) => sum + listings, 0);
  return html`<div class="home">
<div class="heading"><h1>US compliance for e-commerce</h1>
<p class="lead">Check whether a product is on a Section 232 list and whether a storefront still uses discontinued tags. No API key is needed.</p></div>
<section class="card check-tool" id="code-check" aria-labelledby="code-name">
<h2 id="code-name">Look up an HTS code</h2>
<form class="line" method="get" action="/#code-check" data-working="Looking up the code…">
${textField({ name: 'code', label: 'HTS code', hint: '4, 6, 8, or 10 digits, such as 7318.15.2061', value: code?.value, error: fieldError(code), maxLength: 40, required: true })}
<button>Look up</button>
</form>
<p class="working" role="status"></p>
<div class="result">${code && ('result' in code ? lookupResult(code.result, dataset) : errorNotice(code.error, requestId))}</div>
</section>
<section class="card check-tool" id="url-check" aria-labelledby="url-name">
<h2 id="url-name">Scan a storefront</h2>
<form class="line" method="get" action="/#url-check" data-working="Scanning the page and its scripts. This can take a few seconds…">
${textField({ name: 'url', label: 'Page URL', hint: "A public HTTP or HTTPS URL. The scan doesn't run the page's code.", value: url?.value, error: fieldError(url), maxLength: 2048, required: true })}
<button>Scan</button>
</form>
<p class="working" role="status"></p>
<div class="result">${url && ('result' in url ? scanResult(url.result) : errorNotice(url.error, requestId))}</div>
</section>
<section aria-labelledby="lists-name"><h2 id="lists-name">Section 232 lists</h2>
<dl class="facts">
<div><dt>Data set</dt><dd>${lists.version}</dd></div>
<div><dt>Current through</dt><dd>${lists.known_through}</dd></div>
<div><dt>In force on ${lists.as_of}</dt><dd>${provisions} provisions on ${derivatives.length} derivative lists</dd></div>
</dl>
${lists.notice !== null && html`<p class="small quiet">${lists.notice}</p>`}</section>
<section aria-labelledby="more-name"><h2 id="more-name">For developers</h2>
<ul class="ways">
<li><a href="/docs"><strong>API reference</strong><span>Look up entire catalogs, track storefront changes, and generate certificates</span></a></li>
<li><a href="/docs#start"><strong>Client libraries</strong><span>Examples for Node.js, Python, Go, and curl</span></a></li>
<li><a href="/docs#v1-entry-gcc-generate"><strong>Certificates of conformity</strong><span>Generate PDF certificates for general-use and children's products, and get signed links to them</span></a></li>
<li><a href="/beta"><strong>Request an API key</strong><span>The API is in closed beta</span></a></li>
<li><a href="/docs/rules"><strong>Scan rules</strong><span>What each rule detects, why it matters, and how to fix it</span></a></li>
<li><a href="/docs/lists"><strong>Section 232 lists</strong><span>Provision counts by date, with citations and sources</span></a></li>
</ul></section>
</div>`;
}
