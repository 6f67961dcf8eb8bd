import {
  dutyWords,
  easternDate,
  type ListHistory,
  listHistories,
  listsInForce,
  PROGRAMS,
} from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { linked } from '../pages/prose.ts';

const READINGS = { official: 'official text', derived: 'worked out', second_hand: 'second-hand' } as const;
const ROLES = { article: 'articles', derivative: 'derivatives' } as const;

const histories = listHistories();

/** How many provisions a list has on a date. */
function countOn({ counts }: ListHistory, date: string): number {
  return counts.filter(({ from }) => from <= date).at(-1)?.provisions ?? 0;
}

/** All lists: those that have provisions in force today, and those that had or will have. */
export function listsPage(now: number): Html {
  const today = easternDate(now);
  const { version, known_through, latest_material, notice } = listsInForce(today);
  const inForce = histories.filter(list => countOn(list, today) > 0);
  const others = histories.filter(list => !inForce.includes(list));
  return html`<div class="prose-page">
<div class="heading"><h1>Section 232 lists</h1>
<p class="lead">What a look-up reads: every list that a proclamation or a U.S. note to chapter 99 names, over time, with its sources.</p></div>
<dl class="facts">
<div><dt>Edition</dt><dd>${version}</dd></div>
<div><dt>Known through</dt><dd>${known_through}</dd></div>
<div><dt>Newest material</dt><dd>${latest_material}</dd></div>
</dl>
${notice !== null && html`<p class="notice warn">${notice}</p>`}
<section><h2>In force on ${today}</h2>${listRows(inForce, today)}</section>
${others.length > 0 && html`<section><h2>Not in force on ${today}</h2>${listRows(others, today)}</section>`}
</div>`;
}

function listRows(lists: readonly ListHistory[], today: string): Html {
  return html`<ul class="rows">${lists.map(list => {
    const count = countOn(list, today);
    return html`<li><div><div class="between"><a href="/docs/lists/${list.id}">${list.title}</a><span class="quiet figure">${count > 0 ? provisions(count) : lifeOf(list)}</span></div>
<p class="small quiet">${PROGRAMS[list.program]}, ${ROLES[list.role]} · ${list.note}</p></div></li>\n`;
  })}</ul>`;
}

/** The page of a list; null for an id that is none. */
export function listPage(id: string, now: number): { title: string; body: Html } | null {
  const list = histories.find(each => each.id === id);
  if (!list) return null;
  const today = easternDate(now);
  const { notice } = listsInForce(today);
  const body = html`<article class="prose-page">
<div class="heading"><p class="crumb"><a href="/docs/lists">Lists</a></p><h1>${list.title}</h1><p class="mono quiet">${list.id}</p></div>
<dl class="facts">
<div><dt>Program</dt><dd>${PROGRAMS[list.program]}, ${ROLES[list.role]}</dd></div>
<div><dt>U.S. note</dt><dd>${list.note}</dd></div>
<div><dt>In force</dt><dd>${lifeOf(list)}</dd></div>
<div><dt>On ${today}</dt><dd>${provisions(countOn(list, today))}</dd></div>
</dl>
${notice !== null && html`<p class="notice warn">${notice}</p>`}
<section><h2>Provisions by date</h2>
<table><thead><tr><th scope="col">From</th><th scope="col" class="number">Provisions</th><th scope="col">Citation</th></tr></thead>
<tbody>${list.counts.map(
    ({ from, provisions, citations }) =>
      html`<tr><td class="date">${from}</td><td class="number">${provisions}</td><td>${citations.length > 0 ? citations.join('; ') : 'Provisions leave the list'}</td></tr>\n`,
  )}</tbody></table></section>
<section><h2>What was charged when</h2>
<ul class="rows">${list.terms.map(
    term => html`<li><div><p class="name">${term.effective_from} ${term.effective_to === null ? 'until further notice' : `to ${term.effective_to}`}</p>
<p>${sentence(dutyWords(term))}</p>
<p class="small quiet">${term.annex !== null && html`Annex ${term.annex} · `}${term.headings.length > 0 && html`${term.headings.join(', ')} · `}${term.citation}</p></div></li>\n`,
  )}</ul></section>
${caveats(list)}
<section><h2>Sources</h2><ul class="rows">${list.sources.map(
    ({ title, address, reading, note }) =>
      html`<li><div><div class="between"><span class="name">${title}</span><span class="badge ${reading === 'official' ? 'good' : 'warn'}">${READINGS[reading]}</span></div>
<p class="small quiet">${linked(address)}</p>${note !== undefined && html`<p class="small">${note}</p>`}</div></li>\n`,
  )}</ul></section>
</article>`;
  return { title: list.title, body };
}

function caveats({ caveats, verified_from }: ListHistory): Html {
  if (caveats.length === 0 && verified_from === null) return html``;
  return html`<section><h2>What to know of it</h2><ul>
${verified_from !== null && html`<li>Before ${verified_from} the membership was not read in a text of its time.</li>`}
${caveats.map(({ text }) => html`<li>${text}</li>`)}</ul></section>`;
}

function lifeOf({ effective_from, effective_to }: ListHistory): string {
  return effective_to === null ? `since ${effective_from}` : `${effective_from} to ${effective_to}`;
}

function provisions(count: number): string {
  return count === 1 ? '1 provision' : `${count} provisions`;
}

function sentence(words: string): string {
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}
