import { html } from 'hono/html';
import { OPERATIONS } from '../../operations/operations.gen.ts';
import type { Html } from '../../pages/page.ts';
import { V0_OPERATIONS } from '../../v0/operations/operations.gen.ts';
import { anchorOf, operationSection } from './operation.ts';
import { referenceTopics } from './topics.ts';

const VERSIONS = [
  { id: 'v1', title: 'v1 operations', operations: OPERATIONS },
  { id: 'v0', title: 'v0 operations (unstable)', operations: V0_OPERATIONS },
];

/**
 * Renders the sections for all operations. Rendering takes about 10 ms, so callers should cache the sections, which
 * don't depend on the request.
 */
export function operationSections(): Html {
  return html`${VERSIONS.map(
    ({
      id,
      title,
      operations,
    }) => html`<section id="${id}" class="topic" aria-labelledby="${id}-name"><h2 id="${id}-name">${title}</h2>
${operations.map(operationSection)}</section>`,
  )}`;
}

/**
 * Renders the API reference: all v1 and v0 operations, and the topics that apply to all of them.
 *
 * @param base the base URL of the service
 * @param operations the result of {@link operationSections}
 */
export function referencePage(base: string, operations: Html): Html {
  const { before, after } = referenceTopics(base);
  const contents = [
    ...before.map(({ id, title }) => ({ id, title, inside: [] })),
    ...VERSIONS.map(({ id, title, operations }) => ({ id, title, inside: operations })),
    ...after.map(({ id, title }) => ({ id, title, inside: [] })),
  ];
  const topic = ({ id, title, body }: (typeof before)[number]) =>
    html`<section id="${id}" class="topic" aria-labelledby="${id}-name"><h2 id="${id}-name">${title}</h2>
${body}</section>`;
  return html`<div class="manual">
<nav class="contents" aria-label="On this page">
<div class="field filter" hidden><label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"><p class="small quiet" role="status"></p></div>
<details><summary>On this page</summary>
<ul>
${contents.map(
  ({ id, title, inside }) => html`<li><a href="#${id}">${title}</a>${
    inside.length > 0 &&
    html`<ul>${inside.map(operation => html`<li><a href="#${anchorOf(operation)}"><code>${operation.id}</code></a></li>`)}</ul>`
  }</li>
`,
)}</ul></details></nav>
<div class="chapters">
<div class="heading"><h1>API reference</h1>
<p class="lead">Look up HTS codes in the Section 232 lists, scan storefronts for legacy and changed tags, and generate General Certificates of Conformity and Children's Product Certificates.</p></div>
${before.map(topic)}
${operations}
${after.map(topic)}
</div>
</div>`;
}
