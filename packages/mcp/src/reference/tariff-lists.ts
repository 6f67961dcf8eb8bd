import { type Dataset, dutyWords, type ListHistory, listHistories, listsInForce } from '@compliance/core/tariff';
import { bullets, markdown, type ReferenceContext, type ReferencePage, type ReferenceSection } from './page.ts';

const URI = 'compliance://lists';

const histories = new WeakMap<Dataset, ReadonlyMap<string, ListHistory>>();

/** Returns the histories of a data set's lists, by list ID. Computes them once per data set. */
function historiesOf(dataset: Dataset): ReadonlyMap<string, ListHistory> {
  let lists = histories.get(dataset);
  if (!lists) histories.set(dataset, (lists = new Map(listHistories(dataset).map(list => [list.id, list]))));
  return lists;
}

/** The data set's Section 232 lists. */
export const tariffListPages: ReferenceSection = {
  name: 'tariff-lists',
  title: 'Section 232 lists',
  description: 'The data set and its Section 232 lists. Read a list at compliance://lists/{id}.',
  uri: URI,
  index: describeDataset,
  ids: ({ dataset }) => historiesOf(dataset).keys(),
  page: describeList,
};

function describeDataset({ dataset, today }: ReferenceContext): string {
  const { lists, version, known_through, sha256, latest_material, notice } = listsInForce(today, dataset);
  const inForce = new Set(lists.map(({ id }) => id));
  const others = [...historiesOf(dataset).values()].filter(({ id }) => !inForce.has(id));
  return markdown(
    '# Section 232 lists',
    bullets([
      `Data set: ${version}`,
      `Known through: ${known_through}`,
      `SHA-256: ${sha256}`,
      `Latest official text: ${latest_material}`,
    ]),
    notice,
    `## In force on ${today}`,
    bullets(lists.map(({ id, title, note, listings }) => `\`${id}\`: ${title}, ${note}, listings: ${listings}`)),
    others.length > 0 && `## Not in force on ${today}`,
    bullets(others.map(({ id, title, note }) => `\`${id}\`: ${title}, ${note}`)),
  );
}

function describeList(id: string, { dataset, today }: ReferenceContext): ReferencePage | undefined {
  const list = historiesOf(dataset).get(id);
  if (!list) return undefined;
  const { title, program, role, note, terms, sources, caveats, verified_from } = list;
  const provisions = provisionsOn(dataset, id, today);
  const limitations = [
    ...(verified_from === null
      ? []
      : [`Provisions in force before ${verified_from} weren't verified against a source from that period.`]),
    ...caveats.map(({ text }) => text),
  ];
  return {
    kind: 'tariff_list',
    id,
    title,
    uri: `${URI}/${id}`,
    known_through: dataset.known_through,
    sources: sources.map(source => `${source.title}, ${source.address}`),
    markdown: markdown(
      `# ${title}`,
      bullets([
        `Program: ${program}, ${role === 'article' ? 'primary articles' : 'derivative articles'}`,
        `Legal text: ${note}`,
        `Data set: ${dataset.version}, current through ${dataset.known_through}`,
      ]),
      '## Duties',
      bullets(
        terms.map(term => {
          const headings = term.headings.join(', ') || 'no heading';
          return `${datesOf(term)}: ${dutyWords(term)} (${headings}). Source: ${term.citation}`;
        }),
      ),
      limitations.length > 0 && '## Limitations',
      bullets(limitations),
      '## Sources',
      bullets(sources.map(source => `${source.title} (${source.reading}): ${source.address}`)),
      `## Provisions on ${today}: ${provisions.length}`,
      provisions.join(', '),
    ),
  };
}

/** Returns a list's provisions that are in force on a date. */
function provisionsOn(dataset: Dataset, id: string, date: string): string[] {
  const list = dataset.lists.find(each => each.id === id);
  if (!list?.terms.some(term => isIn(term, date))) return [];
  return list.batches
    .filter(batch => isIn(batch, date))
    .flatMap(({ provisions }) => provisions.map(each => (typeof each === 'string' ? each : each.hts)));
}

interface Dated {
  readonly effective_from: string;
  readonly effective_to: string | null;
}

function isIn({ effective_from, effective_to }: Dated, date: string): boolean {
  return effective_from <= date && (effective_to === null || date <= effective_to);
}

function datesOf({ effective_from, effective_to }: Dated): string {
  return effective_to === null ? `from ${effective_from}` : `${effective_from} to ${effective_to}`;
}
