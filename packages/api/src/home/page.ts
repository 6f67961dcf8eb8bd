import type { ListsInForce } from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { z } from 'zod';
import { textField } from '../pages/field.ts';
import type { Html } from '../pages/page.ts';
import type hts from '../v0/operations/hts.ts';
import type scan from '../v0/operations/scan.ts';
import type { Checked } from './check.ts';
import { failure, faultOf } from './failure.ts';
import { listingAnswer } from './listing.ts';
import { scanAnswer } from './scan.ts';

interface Home {
  code: Checked<z.output<typeof hts.response>>;
  url: Checked<z.output<typeof scan.response>>;
  lists: ListsInForce;
  requestId: string;
}

/** The first page with what was asked, if anything was. */
export function homeBody({ code, url, lists, requestId }: Home): Html {
  const derivatives = lists.lists.filter(({ role }) => role === 'derivative');
  const provisions = derivatives.reduce((sum, { listings }) => sum + listings, 0);
  return html`<div class="home">
<div class="heading"><h1>US import compliance for e-commerce</h1>
<p class="lead">Is a product on a Section 232 list? Does a storefront still send to tags that are dead? Ask here, without a key.</p></div>
<section class="card probe" id="code-check" aria-labelledby="code-name">
<h2 id="code-name">Look up an HTS code</h2>
<form class="line" method="get" action="/#code-check" data-working="Looking it up…">
${textField({ name: 'code', label: 'HTS code', hint: '4, 6, 8 or 10 digits, such as 7318.15.2061', value: code?.asked, fault: faultOf(code), maxLength: 40, required: true })}
<button>Look up</button>
</form>
<p class="working" role="status"></p>
<div class="answer">${code && ('answer' in code ? listingAnswer(code.answer) : failure(code.error, requestId))}</div>
</section>
<section class="card probe" id="url-check" aria-labelledby="url-name">
<h2 id="url-name">Scan a storefront</h2>
<form class="line" method="get" action="/#url-check" data-working="Reading the page and its scripts. This can take some seconds…">
${textField({ name: 'url', label: 'Address of the page', hint: 'Public, http or https. The page is read, not run.', value: url?.asked, fault: faultOf(url), maxLength: 2048, required: true })}
<button>Scan</button>
</form>
<p class="working" role="status"></p>
<div class="answer">${url && ('answer' in url ? scanAnswer(url.answer) : failure(url.error, requestId))}</div>
</section>
<section aria-labelledby="lists-name"><h2 id="lists-name">How fresh the lists are</h2>
<dl class="facts">
<div><dt>Edition</dt><dd>${lists.version}</dd></div>
<div><dt>Known through</dt><dd>${lists.known_through}</dd></div>
<div><dt>In force on ${lists.as_of}</dt><dd>${provisions} derivative provisions on ${derivatives.length} lists</dd></div>
</dl>
${lists.notice !== null && html`<p class="small quiet">${lists.notice}</p>`}</section>
<section aria-labelledby="more-name"><h2 id="more-name">For programs</h2>
<ul class="ways">
<li><a href="/docs"><strong>API reference</strong><span>Look up thousands of codes, scan with baselines, make certificates</span></a></li>
<li><a href="/docs#start"><strong>Clients</strong><span>Node, Python and Go, or plain curl</span></a></li>
<li><a href="/beta"><strong>Ask for a key</strong><span>The API is in a closed beta</span></a></li>
<li><a href="/docs/rules"><strong>Rules of the scan</strong><span>What it finds, why, and how to mend it</span></a></li>
<li><a href="/docs/lists"><strong>Section 232 lists</strong><span>Counts by date, citations, sources</span></a></li>
</ul></section>
</div>`;
}
