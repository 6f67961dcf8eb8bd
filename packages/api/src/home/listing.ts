import { dutyWords, PROGRAMS, type Program, type ValueBasis } from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../pages/page.ts';
import type hts from '../v0/operations/hts.ts';

type Answer = z.output<typeof hts.response>;

const STATES: Record<Answer['status'], { word: string; tone: string; title: string }> = {
  hit: { word: 'Hit', tone: 'bad', title: 'On a Section 232 derivative list' },
  in_scope: { word: 'In scope', tone: 'warn', title: 'Section 232 reaches it, and it is on no derivative list' },
  adjacent: { word: 'Adjacent', tone: 'warn', title: 'Not listed, but its neighbours are' },
  clear: { word: 'Clear', tone: 'good', title: 'Not listed, and nothing near it is' },
  invalid: { word: 'Invalid', tone: '', title: 'This is not an HTS code' },
};

const RELATIONS: Record<Answer['adjacent_hits'][number]['relation'], string> = {
  upcoming: 'will be listed',
  former: 'was listed',
  same_8_digit: 'same 8-digit subheading',
  same_6_digit: 'same 6-digit subheading',
  same_4_digit: 'same heading',
};

/** How many neighbours are named. */
const MAX_NEIGHBOURS = 3;

/** The answer for a code: what the lists say, by which act, on which date. */
export function listingAnswer({ code, normalized, status, message, matches, adjacent_hits, list }: Answer): Html {
  const { word, tone, title } = STATES[status];
  return html`<div class="heading"><p><span class="badge ${tone}">${word}</span></p><h3 tabindex="-1">${title}</h3>
<p><code class="asked">${normalized ?? code}</code> on ${list.as_of}</p>
<p>${message}</p></div>
${matches.length > 0 && html`<ul class="rows">${matches.map(listing)}</ul>`}
${
  adjacent_hits.length > 0 &&
  html`<div><h4>Near it</h4><ul class="rows">${adjacent_hits.slice(0, MAX_NEIGHBOURS).map(
    ({
      relation,
      hts,
      program,
      effective_from,
      citation,
    }) => html`<li><div class="between"><span><code>${hts}</code> <span class="quiet">${nameOf(program)}, ${RELATIONS[relation]}</span></span><span class="small quiet">${citation}, from ${effective_from}</span></div></li>
`,
  )}</ul></div>`
}
${status !== 'invalid' && provenance(list)}`;
}

function provenance({ notice, programs, version, known_through }: Answer['list']): Html {
  return html`${notice !== null && html`<p class="notice warn">${notice}</p>`}
<p class="small quiet">Asked: ${programs.map(nameOf).join(', ')}. Edition ${version}, known through ${known_through}. Other programs, origins and whole catalogs: <a href="/docs#v1-tariff-hts-lookup">by the API</a>.</p>`;
}

function listing(match: Answer['matches'][number]): Html {
  const { program, role, hts, annex, coverage, effective_from, effective_to, citation } = match;
  return html`<li><div class="between"><span class="name">${nameOf(program)}, ${role} <code>${hts}</code></span><span>${dutyWords({ ...match, headings: [], value_basis: match.value_basis as ValueBasis })}</span></div>
<dl class="facts">
<div><dt>Annex</dt><dd>${annex ?? 'none'}</dd></div>
<div><dt>Covers the code</dt><dd>${coverage === 'full' ? 'wholly' : 'in part'}</dd></div>
<div><dt>In force</dt><dd>${effective_from} ${effective_to === null ? 'until further notice' : `to ${effective_to}`}</dd></div>
<div class="whole"><dt>Citation</dt><dd>${citation}</dd></div>
</dl></li>
`;
}

function nameOf(program: Program): string {
  return PROGRAMS[program];
}
