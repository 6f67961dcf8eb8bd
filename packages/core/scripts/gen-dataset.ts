// Validates the list, heading, and removal files and writes src/tariff/dataset/dataset.gen.ts. Rejects files without a citation
// or source, rejects references to undefined names, and omits drafts.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import {
  headingsSchema,
  listSchema,
  removalSchema,
  stackingSchema,
  vocabularySchemas,
} from '../src/tariff/dataset/dataset.schema.ts';
import { unstatedOverlaps } from '../src/tariff/dataset/stacking.ts';
import {
  editionsSchema,
  otherAuthoritiesSchema,
  reviewedDifferencesSchema,
  reviewedNotesSchema,
} from '../src/tariff/history/reviewed.schema.ts';

const root = new URL('../src/tariff/dataset/', import.meta.url);

/** Maximum length of a line in dataset.gen.ts, unless a single value is longer. */
const LINE = 160;

function read<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  const result = schema.safeParse(JSON.parse(readFileSync(new URL(path, root), 'utf8')));
  if (result.success) return result.data;
  const issues = result.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`${path} is invalid:\n${issues.join('\n')}`);
}

function entries(folder: string): string[] {
  return readdirSync(new URL(folder, root)).sort();
}

/** Reads and validates the `list.json` file in a `lists/` folder. */
export function readList(id: string) {
  const list = read(`lists/${id}/list.json`, listSchema);
  if (list.id !== id) throw new Error(`lists/${id}/list.json has the ID ${list.id}. Use the folder name as the ID.`);
  return list;
}

/** Builds the data set from the current files. */
export function buildDataset() {
  const lists = entries('lists/')
    .map(readList)
    .filter(list => !list.draft);
  const headings = entries('headings/').flatMap(file => read(`headings/${file}`, headingsSchema).headings);
  const removals = entries('removals/').map(id => read(`removals/${id}/removal.json`, removalSchema));
  const stacking = read('stacking.json', stackingSchema);
  const sources = read('sources.json', vocabularySchemas.sources);
  const conditions = read('conditions.json', vocabularySchemas.conditions);
  const caveats = read('caveats.json', vocabularySchemas.caveats);

  const terms = lists.flatMap(list => list.terms);
  const batches = lists.flatMap(list => list.batches);
  const provisions = batches.flatMap(batch => batch.provisions.filter(provision => typeof provision !== 'string'));
  const flat = (names: (string[] | undefined)[]) => names.flatMap(name => name ?? []);
  // Caveats that are used only in code, not in data files.
  const caveatsInCode = ['membership_not_verified'];
  checkNames(
    'source',
    sources,
    flat([...terms, ...batches, ...headings, ...removals, ...stacking].map(item => item.sources)),
  );
  checkNames(
    'condition',
    conditions,
    flat([...[...terms, ...provisions].map(item => item.conditions), ...headings.map(h => h.when)]),
  );
  checkNames('caveat', caveats, [
    ...flat([...terms, ...batches, ...provisions, ...headings].map(item => item.caveats)),
    ...caveatsInCode,
  ]);
  const ids = Object.fromEntries(lists.map(list => [list.id, list]));
  const unknown = headings
    .flatMap(({ lists, unless_listed = [] }) => [...lists, ...unless_listed])
    .find(id => !Object.hasOwn(ids, id));
  if (unknown) throw new Error(`headings/ refers to a list that doesn't exist: ${unknown}`);

  const [overlap] = unstatedOverlaps(lists, stacking);
  if (overlap) {
    const [a, b] = overlap.provisions.map((hts, i) => `${hts} (${overlap.lists[i]})`);
    throw new Error(`${a} and ${b} overlap on ${overlap.on}. In stacking.json, state how their duties relate.`);
  }

  const facts = { lists, headings, removals, stacking, sources, conditions, caveats };
  const sha256 = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return { ...read('dataset.json', vocabularySchemas.dataset), sha256, ...facts };
}

/** Checks that every referenced name is defined and that every defined name is referenced. */
function checkNames(kind: string, defined: object, used: string[]): void {
  const names = Object.keys(defined);
  const missing = used.find(name => !names.includes(name));
  if (missing) throw new Error(`${kind} ${missing} is used but not defined`);
  const unused = names.find(name => !used.includes(name));
  if (unused) throw new Error(`${kind} ${unused} is defined but not used`);
}

/** Formats a value as JSON, with a line break between members that don't fit on one line, so that changes merge cleanly. */
function toLines(value: unknown): string {
  const json = JSON.stringify(value);
  if (json.length <= LINE || typeof value !== 'object' || value === null) return json;
  if (Array.isArray(value)) return `[\n${value.map(toLines).join(',\n')}\n]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toLines(member)}`);
  return `{\n${members.join(',\n')}\n}`;
}

/** Combines the reviewed facts that are used to compare the data set with HTS editions. */
function buildReviewed() {
  const reviewed = {
    editions: read('../history/reviewed/editions.json', editionsSchema),
    otherAuthorities: read('../history/reviewed/other-authorities.json', otherAuthoritiesSchema),
    differences: read('../history/reviewed/differences.json', reviewedDifferencesSchema),
    notes: read('../history/reviewed/notes.json', reviewedNotesSchema),
  };
  const known = reviewed.editions.map(({ edition }) => edition);
  for (const { editions, text } of reviewed.differences) {
    const [first, last] = editions.map(edition => known.indexOf(edition)) as [number, number];
    if (first === -1 || last < first) {
      throw new Error(
        `differences.json has an edition range that isn't in editions.json: ${editions.join(' to ')} (${text})`,
      );
    }
  }
  return reviewed;
}

/**
 * Returns the source code of a module that contains a JSON string. A JSON string parses faster than an object literal and works
 * in browsers.
 */
function jsonModule(name: string, value: unknown, folder: string): string {
  const json = toLines(value).replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return `// Generated by \`pnpm gen\` from the JSON files in ${folder}.\nexport const ${name} = \`${json}\`;\n`;
}

/** Returns the source code of dataset.gen.ts. */
export const datasetModule = (): string => jsonModule('DATASET_JSON', buildDataset(), 'this folder');

/** Returns the source code of ../history/reviewed.gen.ts. */
export const reviewedModule = (): string => jsonModule('REVIEWED_JSON', buildReviewed(), 'reviewed/');

if (import.meta.main) {
  writeFileSync(new URL('dataset.gen.ts', root), datasetModule());
  writeFileSync(new URL('../history/reviewed.gen.ts', root), reviewedModule());
}
