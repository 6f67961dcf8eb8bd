import { easternDate, type ListsInForce, listsInForce, PROGRAMS, type Source } from '@compliance/core/tariff';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import type { OperatorDeps, OperatorEnv } from './context.ts';
import { answer } from './layout.ts';

const READING: Record<Source['reading'], string> = {
  official: 'official text',
  derived: 'derived from official text',
  second_hand: 'second-hand',
};

/** Which lists this release answers from, how far they are known, and where they were read. */
export function listsPage(app: Hono<OperatorEnv>, { clock }: OperatorDeps): void {
  app.get('/operator/lists', async c => {
    const facts = listsInForce(easternDate(clock()));
    const body = html`<div class="heading"><h1>Lists in force</h1>
<p class="lead">The Section 232 lists that this release answers from, as of ${facts.as_of}.</p></div>
${facts.notice !== null && html`<p class="notice warn">${facts.notice}</p>`}
<section class="card" aria-label="Edition"><dl class="facts">
<div><dt>Version</dt><dd>${facts.version}</dd></div>
<div><dt>Known through</dt><dd>${facts.known_through}</dd></div>
<div><dt>Newest material</dt><dd>${facts.latest_material}</dd></div>
</dl><p class="small quiet">SHA-256 <span class="mono">${facts.sha256}</span></p></section>
<div class="columns">
<section class="card"><h2>Listings by program</h2>${programs(facts)}</section>
<section class="card"><h2>Listings by list</h2>${lists(facts)}</section>
</div>
<section class="heading"><h2>Sources</h2><ul class="rows">${Object.entries(facts.sources).map(source)}</ul></section>`;
    return await answer(c, { title: 'Lists in force', section: 'lists', body });
  });
}

function programs({ programs }: ListsInForce): Html {
  return html`<table><thead><tr><th scope="col">Program</th><th scope="col" class="number">Articles</th><th scope="col" class="number">Derivatives</th></tr></thead>
<tbody>${programs.map(
    ({ program, articles, derivatives }) =>
      html`<tr><th scope="row">${PROGRAMS[program]}</th><td class="number">${articles}</td><td class="number">${derivatives}</td></tr>`,
  )}</tbody></table>`;
}

function lists({ lists }: ListsInForce): Html {
  return html`<table><thead><tr><th scope="col">List</th><th scope="col" class="number">Listings</th></tr></thead>
<tbody>${lists.map(
    ({ title, note, listings }) =>
      html`<tr><th scope="row">${title}<br><span class="small quiet">${note}</span></th><td class="number">${listings}</td></tr>`,
  )}</tbody></table>`;
}

function source([, { title, address, reading, note }]: [string, Source]): Html {
  return html`<li><div class="between"><p class="name">${title}</p><span class="badge${reading === 'second_hand' && ' warn'}">${READING[reading]}</span></div>
<p class="small quiet">${address}</p>${note && html`<p class="small">${note}</p>`}</li>`;
}
