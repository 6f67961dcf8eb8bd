import {
  type Dataset,
  dutyWords,
  easternDate,
  type ListHistory,
  listHistories,
  listsInForce,
  programName,
} from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { linked } from '../pages/prose.ts';
import { CHANGES_PATH } from './changes.ts';

const READINGS = {
  official: 'official text',
  derived: 'derived from official text',
  second_hand: 'secondary source',
} as const;
const ROLES = { article: 'primary articles', derivative: 'derivative articles' } as const;

const known = new WeakMap<Dataset, readonly ListHistory[]>();

/** Returns a data set's list histories, which are computed on the first call for each data set. */
function historiesOf(dataset: Dataset): readonly ListHistory[] {
  let histories = known.get(dataset);
  if (!histories) known.set(dataset, (histories = listHistories(dataset)));
  return histories;
}

/** Returns the number of provisions in force on a date. */
function countOn({ counts }: ListHistory, date: string): number {
  return counts.filter(({ from }) => from <= date).at(-1)?.provisions ?? 0;
}

/** Renders the index of all lists: those with provisions in force today, followed by former and upcoming lists. */
export function publicListsPage(now: number, dataset: Dataset): Html {
  const today = easternDate(now);
  const histories = historiesOf(dataset);
  const { version, known_through, latest_material, notice } = listsInForce(today, dataset);
  const inForce = histories.filter(list => countOn(list, today) > 0);
  const others = histories.filter(list => !inForce.includes(list));
  return html`<div class="prose-page">
<div class="heading"><h1>Section 232 lists</h1>
<p class="lead">Lookups use the Section 232 lists on this page. Each list has its own page with its history and sources, such as proclamations, U.S. notes, and Chapter 99. For a dated changelog of these lists, open <a href="${CHANGES_PATH}"><code>${CHANGES_PATH}</code></a> on any running instance of the service.</p></div>
<dl class="facts">
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Current through</dt><dd>${known_through}</dd></div>
<div><dt>Latest source</dt><dd>${latest_material}</dd></div>
</dl>
${notice !== null && html`<p class="notice warn">${notice}</p>`}
<section><h2>In force on ${today}</h2>${listRows(inForce, today, dataset)}</section>
${others.length > 0 && html`<section><h2>Not in force on ${today}</h2>${listRows(others, today, dataset)}</section>`}
</div>`;
}

function listRows(lists: readonly ListHistory[], today: string, dataset: Dataset): Html {
  return html`<ul class="rows">${lists.map(list => {
    const count = countOn(list, today);
    return html`<li><div><div class="between"><a href="/docs/lists/${list.id}">${list.title}</a><span class="quiet figure">${count > 0 ? provisions(count) : datesOf(list)}</span></div>
<p class="small quiet">${programName(list.program, dataset)}, ${ROLES[list.role]} · ${list.note}</p></div></li>\n`;
  })}</ul>`;
}

/** Renders a list page. Returns null for an unknown ID. */
export function listPage(id: string, now: number, dataset: Dataset): { title: string; body: Html } | null {
  const list = historiesOf(dataset).find(each => each.id === id);
  if (!list) return null;
  const today = easternDate(now);
  const { notice } = listsInForce(today, dataset);
  const body = html`<article class="prose-page">
<div class="heading"><p class="crumb"><a href="/docs/lists">Lists</a></p><h1>${list.title}</h1><p class="mono quiet">${list.id}</p></div>
<dl class="facts">
<div><dt>Program</dt><dd>${programName(list.program, dataset)}, ${ROLES[list.role]}</dd></div>
<div><dt>Legal text</dt><dd>${list.note}</dd></div>
<div><dt>In force</dt><dd>${datesOf(list)}</dd></div>
<div><dt>Provisions on ${today}</dt><dd>${countOn(list, today)}</dd></div>
</dl>
${notice !== null && html`<p class="notice warn">${notice}</p>`}
<section><h2>Provisions by date</h2>
<table><thead><tr><th scope="col">From</th><th scope="col" class="number">Provisions</th><th scope="col">Citation</th></tr></thead>
<tbody>${list.counts.map(
    ({ from, provisions, citations }) =>
      html`<tr><td class="date">${from}</td><td class="number">${provisions}</td><td>${citations.length > 0 ? citations.join('; ') : 'Provisions removed'}</td></tr>\n`,
  )}</tbody></table></section>
<section><h2>Duties by date</h2>
<ul class="rows">${list.terms.map(
    term => html`<li><div><p class="name">${capitalize(datesOf(term))}</p>
<p>${capitalize(dutyWords(term))}.</p>
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
  return html`<section><h2>Limitations</h2><p>Each limitation applies to at least one of this list's provisions, headings, or dates.</p><ul>
${verified_from !== null && html`<li>Provisions in force before ${verified_from} weren't verified against a source from that period.</li>`}
${caveats.map(({ text }) => html`<li>${text}</li>`)}</ul></section>`;
}

function datesOf({ effective_from, effective_to }: Pick<ListHistory, 'effective_from' | 'effective_to'>): string {
  return effective_to === null ? `from ${effective_from}` : `${effective_from} to ${effective_to}`;
}

function provisions(count: number): string {
  return count === 1 ? '1 provision' : `${count} provisions`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
