import { type Dataset, dutyWords, programName, type ValueBasis } from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../pages/page.ts';
import type hts from '../v0/operations/hts.ts';

type Response = z.output<typeof hts.response>;

const STATUSES: Record<Response['status'], { label: string; tone: string; title: string }> = {
  hit: { label: 'Hit', tone: 'bad', title: 'On a Section 232 derivative list' },
  in_scope: { label: 'In scope', tone: 'warn', title: 'Covered by Section 232, but not on a derivative list' },
  adjacent: { label: 'Adjacent', tone: 'warn', title: 'Not covered by Section 232, but has related listings' },
  clear: { label: 'Clear', tone: 'good', title: 'Not covered by Section 232, with no related listings' },
  invalid: { label: 'Invalid', tone: '', title: 'Not an HTS code' },
};

const RELATIONS: Record<Response['adjacent_hits'][number]['relation'], string> = {
  upcoming: 'will be listed',
  former: 'was listed',
  same_8_digit: 'same 8-digit subheading',
  same_6_digit: 'same 6-digit subheading',
  same_4_digit: 'same heading',
};

/** Maximum number of adjacent listings to show. */
const MAX_ADJACENT = 3;

/** Renders a lookup result, with citations and dates. */
export function lookupResult(
  { code, normalized, status, message, matches, stacking, adjacent_hits, list }: Response,
  dataset: Dataset,
): Html {
  const { label, tone, title } = STATUSES[status];
  return html`<div class="heading"><p><span class="badge ${tone}">${label}</span></p><h3 tabindex="-1">${title}</h3>
<p><code class="queried">${normalized ?? code}</code> on ${list.as_of}</p>
<p>${message}</p></div>
${matches.length > 0 && html`<ul class="rows">${matches.map(match => listing(match, dataset))}</ul>`}
${
  stacking.length > 0 &&
  html`<div><h4>How these duties interact</h4><ul class="rows">${stacking.map(
    ({ programs, text, citation }) =>
      html`<li><div><p class="name">${programs.map(program => programName(program, dataset)).join(' and ')}</p><p>${text}</p><p class="small quiet">${citation}</p></div></li>\n`,
  )}</ul></div>`
}
${
  adjacent_hits.length > 0 &&
  html`<div><h4>Related listings</h4><ul class="rows">${adjacent_hits.slice(0, MAX_ADJACENT).map(
    ({
      relation,
      hts,
      program,
      effective_from,
      citation,
    }) => html`<li><div class="between"><span><code>${hts}</code> <span class="quiet">${programName(program, dataset)}, ${RELATIONS[relation]}</span></span><span class="small quiet">${citation}, from ${effective_from}</span></div></li>
`,
  )}</ul></div>`
}
${status !== 'invalid' && provenance(list, dataset)}`;
}

function provenance(
  { notice, programs, version, known_through, not_included }: Response['list'],
  dataset: Dataset,
): Html {
  return html`${notice !== null && html`<p class="notice warn">${notice}</p>`}
<p class="small quiet">${not_included}</p>
<p class="small quiet">Programs checked: ${programs.map(program => programName(program, dataset)).join(', ')}. Data set ${version}, current through ${known_through}. To look up the duties for a country of origin or check an entire catalog, <a href="/docs#v1-tariff-hts-lookup">use the API</a>.</p>`;
}

function listing(match: Response['matches'][number], dataset: Dataset): Html {
  const { program, role, hts, annex, coverage, headings, effective_from, effective_to, dated_by, citation } = match;
  return html`<li><div class="between"><span class="name">${programName(program, dataset)}, ${role} <code>${hts}</code></span><span>${dutyWords({ ...match, headings: [], value_basis: match.value_basis as ValueBasis })}</span></div>
<dl class="facts">
<div><dt>Annex</dt><dd>${annex ?? 'none'}</dd></div>
<div><dt>Coverage</dt><dd>${coverage === 'full' ? 'full' : 'partial'}</dd></div>
<div><dt>In force</dt><dd>${effective_to === null ? `since ${effective_from}` : `${effective_from} to ${effective_to}`}</dd></div>
<div><dt>Chapter 99 heading</dt><dd>${headings.join(', ') || 'not published'}</dd></div>
<div><dt>Date source</dt><dd>${dated_by.legal ?? `first printed in ${dated_by.first_printed}; the legal effective date might be earlier`}</dd></div>
<div class="whole"><dt>Citation</dt><dd>${citation}</dd></div>
</dl></li>
`;
}
