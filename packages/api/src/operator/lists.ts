import {
  type Dataset,
  easternDate,
  type ListsInForce,
  listsInForce,
  programName,
  type Source,
} from '@compliance/core/tariff';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import type { OperatorDeps, OperatorEnv } from './shared/context.ts';
import { renderPage } from './shared/layout.ts';

const READINGS: Record<Source['reading'], string> = {
  official: 'official text',
  derived: 'derived from official text',
  second_hand: 'secondary source',
};

/** Adds the page with the tariff lists in force, their version, and their sources. */
export function operatorListsPage(app: Hono<OperatorEnv>, { clock, dataset: currentDataset }: OperatorDeps): void {
  app.get('/operator/lists', async c => {
    const dataset = currentDataset();
    const facts = listsInForce(easternDate(clock()), dataset);
    const body = html`<div class="heading"><h1>Lists in force</h1>
<p class="lead">Section 232 lists in force as of ${facts.as_of}.</p></div>
${facts.notice !== null && html`<p class="notice warn">${facts.notice}</p>`}
<section class="card" aria-label="Data set"><dl class="facts">
<div><dt>Version</dt><dd>${facts.version}</dd></div>
<div><dt>Current through</dt><dd>${facts.known_through}</dd></div>
<div><dt>Latest source</dt><dd>${facts.latest_material}</dd></div>
</dl><p class="small quiet">SHA-256 <span class="mono">${facts.sha256}</span></p></section>
<div class="columns">
<section class="card"><h2>Listings by program</h2>${programs(facts, dataset)}</section>
<section class="card"><h2>Listings by list</h2>${lists(facts)}</section>
</div>
<section class="heading"><h2>Sources</h2><ul class="rows">${Object.entries(facts.sources).map(source)}</ul></section>`;
    return await renderPage(c, { title: 'Lists in force', section: 'lists', body });
  });
}

function programs({ programs }: ListsInForce, dataset: Dataset): Html {
  return html`<table><thead><tr><th scope="col">Program</th><th scope="col" class="number">Primary</th><th scope="col" class="number">Derivative</th></tr></thead>
<tbody>${programs.map(
    ({ program, articles, derivatives }) =>
      html`<tr><th scope="row">${programName(program, dataset)}</th><td class="number">${articles}</td><td class="number">${derivatives}</td></tr>`,
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
  return html`<li><div class="between"><p class="name">${title}</p><span class="badge${reading === 'second_hand' && ' warn'}">${READINGS[reading]}</span></div>
<p class="small quiet">${address}</p>${note && html`<p class="small">${note}</p>`}</li>`;
}
