import { html } from 'hono/html';
import { OPERATIONS } from '../../operations/operations.gen.ts';
import type { Html } from '../../pages/page.ts';
import { V0_OPERATIONS } from '../../v0/operations/operations.gen.ts';
import { anchorOf, operationSection } from './operation.ts';
import { sections } from './sections.ts';

const SURFACES = [
  { id: 'v1', title: 'Operations of v1', operations: OPERATIONS },
  { id: 'v0', title: 'Operations of v0, unstable', operations: V0_OPERATIONS },
];

/** The part of the reference that is the same for every reader. Writing it takes some ten milliseconds: keep it. */
export function operationSections(): Html {
  return html`${SURFACES.map(
    ({
      id,
      title,
      operations,
    }) => html`<section id="${id}" class="told" aria-labelledby="${id}-name"><h2 id="${id}-name">${title}</h2>
${operations.map(operationSection)}</section>`,
  )}`;
}

/**
 * The reference: every operation of v1 and v0 from its own description, and what holds for all of them.
 *
 * @param base where the service is reached, as the reader sees it
 * @param operations what {@link operationSections} gave
 */
export function referencePage(base: string, operations: Html): Html {
  const { before, after } = sections(base);
  const contents = [
    ...before.map(({ id, title }) => ({ id, title, inside: [] })),
    ...SURFACES.map(({ id, title, operations }) => ({ id, title, inside: operations })),
    ...after.map(({ id, title }) => ({ id, title, inside: [] })),
  ];
  const told = ({ id, title, body }: (typeof before)[number]) =>
    html`<section id="${id}" class="told" aria-labelledby="${id}-name"><h2 id="${id}-name">${title}</h2>
${body}</section>`;
  return html`<div class="manual">
<nav class="contents" aria-label="On this page"><ul>
${contents.map(
  ({ id, title, inside }) => html`<li><a href="#${id}">${title}</a>${
    inside.length > 0 &&
    html`<ul>${inside.map(operation => html`<li><a href="#${anchorOf(operation)}"><code>${operation.id}</code></a></li>`)}</ul>`
  }</li>
`,
)}</ul></nav>
<div class="chapters">
<div class="heading"><h1>API reference</h1>
<p class="lead">Look HTS codes up in the Section 232 lists, scan a storefront for dead and drifted tags, make a General Certificate of Conformity.</p></div>
${before.map(told)}
${operations}
${after.map(told)}
</div>
</div>`;
}
