import {
  type Dataset,
  type EffectiveChange,
  effectiveChanges,
  type ProgramChange,
  programName,
} from '@compliance/core/tariff';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

/** Path of the page that shows every change. */
export const CHANGES_PATH = '/docs/lists/changes';

/** Feed paths. */
export const FEED_PATHS = { atom: '/lists/changes.atom', json: '/lists/changes.json' } as const;

/** Feeds that the list pages advertise to feed readers. */
export const FEEDS = [
  { type: 'application/atom+xml', path: FEED_PATHS.atom, title: 'Section 232 list changes (Atom)' },
  { type: 'application/feed+json', path: FEED_PATHS.json, title: 'Section 232 list changes (JSON Feed)' },
] as const;

/** A change to the lists, as text. */
export interface ChangeEntry {
  /** The change's effective date. For the data set's own entry, the date through which the data set is current. */
  readonly date: string;
  /** URL fragment of the entry on the changes page. The fragment is unique and never changes. */
  readonly fragment: string;
  readonly title: string;
  /** Sentences that describe the change. */
  readonly details: readonly string[];
  readonly citations: readonly string[];
}

const known = new WeakMap<Dataset, readonly ChangeEntry[]>();

/**
 * Returns an entry for the data set itself, followed by one for each effective date, newest first. The entries are
 * computed on the first call for each data set.
 *
 * @example changeEntries(DATASET)[0].title // 'Data set 2026.11.1'
 */
export function changeEntries(dataset: Dataset): readonly ChangeEntry[] {
  let entries = known.get(dataset);
  if (!entries) {
    const changes = effectiveChanges(dataset).map(change => entryOf(change, dataset));
    known.set(dataset, (entries = [releaseEntry(dataset), ...changes]));
  }
  return entries;
}

function releaseEntry({ version, known_through, latest_material }: Dataset): ChangeEntry {
  return {
    date: known_through,
    fragment: `data-set-${version}`,
    title: `Data set ${version}`,
    details: [`The lists are current through ${known_through}.`],
    citations: [latest_material],
  };
}

function entryOf({ date, programs, headings_started, headings_ended, citations }: EffectiveChange, dataset: Dataset) {
  const names = programs.map(({ program }) => programName(program, dataset));
  const subjects = names.length > 0 ? names.join(', ') : 'headings that depend on the origin or other facts';
  return {
    date,
    fragment: `from-${date}`,
    title: `Section 232 changes effective ${date}: ${subjects}`,
    details: [
      ...programs.map(change => `${capitalize(programName(change.program, dataset))}: ${countsInWords(change)}.`),
      ...(headings_started.length > 0 ? [`New or changed headings: ${headings_started.join(', ')}.`] : []),
      ...(headings_ended.length > 0 ? [`Headings no longer in force: ${headings_ended.join(', ')}.`] : []),
    ],
    citations,
  };
}

function countsInWords({ added, removed, moved, rate_changed }: ProgramChange): string {
  const counts = [
    [added, 'added'],
    [removed, 'removed'],
    [moved, 'moved to another annex'],
    [rate_changed, 'with a changed duty'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${count === 1 ? 'provision' : 'provisions'} ${words}`)
    .join(', ');
}

/** Renders an entry's details and citations. */
export function changeDetails({ details, citations }: ChangeEntry): Html {
  return html`<ul>${details.map(detail => html`<li>${detail}</li>`)}</ul><p>${citations.join('; ')}</p>`;
}

/** Renders the changes page, with a section for each entry. */
export function changesPage(dataset: Dataset): Html {
  return html`<div class="prose-page">
<div class="heading"><p class="crumb"><a href="/docs/lists">Lists</a></p><h1>Changes to the Section 232 lists</h1>
<p class="lead">All changes in the data set by effective date, including scheduled changes. Subscribe to the <a href="${FEED_PATHS.atom}">Atom feed</a> or the <a href="${FEED_PATHS.json}">JSON Feed</a>.</p></div>
${changeEntries(dataset).map(
  entry => html`<section id="${entry.fragment}"><h2>${entry.title}</h2>${changeDetails(entry)}</section>\n`,
)}</div>`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
