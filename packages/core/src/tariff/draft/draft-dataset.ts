import { comparisonsOf } from '../dataset/conditions.ts';
import type {
  AlternativeHeading,
  Dataset,
  DateBasis,
  Duty,
  Reviewed,
  Source,
  TariffList,
  Term,
} from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import { METALS, type Program } from '../dataset/programs.ts';
import { listingOn } from '../dataset/provisions.ts';
import { reviewedOf } from '../dataset/reviewed.ts';
import { unstatedOverlaps } from '../dataset/stacking.ts';
import { addDays, includesDate } from '../dates.ts';
import { checkLists } from '../history/check-lists.ts';
import { checkNotes, subdivisionsOfNote } from '../history/check-notes.ts';
import { usesOf } from '../history/compare-headings.ts';
import { parseNotes, type Subdivision } from '../history/parse-notes.ts';
import { notesIn, readConditions } from '../history/printed-conditions.ts';
import { type PrintedHeading, parsePrintedRate, printedHeadings } from '../history/printed-headings.ts';
import { requireDate } from '../lookup/options.ts';
import { formatHtsCode, prefixOf } from '../nomenclature/hts-code.ts';
import { citedSubdivisions } from './cited-subdivisions.ts';
import { type DocumentEvidence, evidenceOf } from './document-evidence.ts';
import { addProvisions, type DraftedFacts, endProvisions } from './edit-lists.ts';
import { type DocumentFacts, type OfficialDocument, readDocument } from './read-document.ts';

/** The official texts of an HTS edition, and the data set to start from. */
export interface DraftRequest {
  /** The data set before the change. */
  dataset: Dataset;
  /** The parsed JSON of the edition's HTS export. */
  officialExport: unknown;
  /** The text of Chapter 99, extracted with `pdftotext -layout`. */
  chapter99: string;
  /** Edition name, such as `HTS 2026 Revision 10`. */
  edition: string;
  /** Effective date of the changes, in YYYY-MM-DD format. */
  effective: string;
  /** Calendar version of the draft. */
  version: string;
  /**
   * Citation of the act that sets the date. By default, the basis for the date is a document that states the date or,
   * if there's none, the edition.
   */
  act?: string;
  /**
   * Documents about the change. If they state a single effective date for a heading, the draft uses and cites that
   * date.
   */
  documents?: readonly OfficialDocument[];
}

/**
 * Coverage of one subdivision or heading of the official text, or of one list in the data set. `modeled`: the draft
 * covers the item. `waived`: the item doesn't have to be covered. `missing`: the item isn't covered, and a reviewer
 * must decide what to change.
 */
export interface CoverageItem {
  kind: 'subdivision' | 'heading' | 'list';
  name: string;
  state: 'modeled' | 'waived' | 'missing';
  /** Page of the subdivision, such as `99 - III - 65`, or null. */
  page: string | null;
  /** The lists that contain the item, the reviewed entry, or the reason that the item is missing. */
  explanation: string;
}

/** The number of provisions that the official text contains for a list on a date. */
export interface DraftExpectation {
  list: string;
  date: string;
  provisions: number;
}

/** A draft data set with everything that a reviewer needs. The data set can't be loaded until it has a hash. */
export interface DatasetDraft {
  dataset: Omit<Dataset, 'sha256'>;
  coverage: CoverageItem[];
  /** Sentences that describe the changes, in order. */
  changes: string[];
  /** Values that a reviewer must check, because the text doesn't state them or is ambiguous. */
  questions: string[];
  /** Provision counts from the official text. The reviewed data set must match these counts. */
  expectations: DraftExpectation[];
  /** Comparison with the documents about the change. */
  evidence: DocumentEvidence[];
}

/**
 * Placeholder for a name that the official text doesn't state. A data set that contains the placeholder doesn't load.
 */
const PLACEHOLDER = 'TODO';

/**
 * Drafts a data set from the official texts of an HTS edition. Adds new provisions, lists, and headings; sets the last
 * day of removed items; and reports the coverage of the text. A draft must be reviewed, because the official texts
 * don't state all dates, roles, conditions, and stacking rules.
 *
 * @throws NomenclatureError if the input isn't an HTS export or the text of Chapter 99
 * @throws LookupOptionError if the date is invalid
 * @example
 * const rate = 'The duty provided in the applicable subheading + 25%';
 * const officialExport = [
 *   { htsno: '8101.10.00', indent: '0', description: 'Tungsten', general: 'Free' },
 *   { htsno: '9903.82.02', indent: '0', description: 'Articles of steel', general: rate },
 *   { htsno: '9903.83.01', indent: '0', description: 'Articles in U.S. note 44(b)', general: rate },
 * ];
 * const chapter99 = '44. (a) Tungsten.\n(b) Articles of tungsten:\n8101.10.00  8101.94.00';
 * const edition = { edition: 'HTS 2027 Basic', effective: '2027-01-01', version: '2027.1.1' };
 * const draft = draftDataset({ dataset: DATASET, officialExport, chapter99, ...edition });
 * draft.expectations.at(-1) // { list: 'note-44-44b', date: '2027-01-01', provisions: 2 }
 */
export function draftDataset(request: DraftRequest): DatasetDraft {
  requireDate(request.effective);
  const draft = new Draft(request);
  draft.readNotes();
  draft.readHeadings();
  draft.addStacking();
  return draft.result();
}

/**
 * Returns whether the draft covers every part of the official text that must be covered.
 *
 * @example isFullyCovered({ coverage: [] }) // true
 */
export function isFullyCovered({ coverage }: Pick<DatasetDraft, 'coverage'>): boolean {
  return coverage.every(({ state }) => state !== 'missing');
}

/**
 * Compares the number of provisions in each list of a reviewed data set with the number in the official text. Returns a
 * sentence for each count that differs.
 *
 * @example checkExpectations(DATASET, [{ list: 'buses-38c', date: '2026-10-01', provisions: 10 }]) // []
 */
export function checkExpectations(dataset: Dataset, expectations: readonly DraftExpectation[]): string[] {
  const { provisions } = indexOf(dataset);
  return expectations.flatMap(({ list, date, provisions: expected }) => {
    const inForce = provisions.filter(provision => provision.list.id === list && listingOn(provision, date));
    const count = new Set(inForce.map(({ prefix }) => prefix)).size;
    return count === expected ? [] : [`${list} has ${count} provisions on ${date}, but the text lists ${expected}.`];
  });
}

/** The state of a draft while the official texts are being read. */
class Draft {
  private readonly request: DraftRequest;
  private readonly reviewed: Reviewed;
  private readonly data: Omit<Dataset, 'sha256'>;
  private readonly source: string;
  private readonly printed: readonly PrintedHeading[];
  private readonly subdivisions: readonly Subdivision[];
  private readonly documents: readonly DocumentFacts[];
  private readonly startedHeadings: { heading: string; date: string; rate: number | null }[] = [];
  private readonly startedCodes = new Map<string, string[]>();
  private readonly coverage: CoverageItem[] = [];
  private readonly changes: string[] = [];
  private readonly questions: string[] = [];
  private readonly expectations: DraftExpectation[] = [];

  constructor(request: DraftRequest) {
    const { dataset, edition, effective, version, officialExport, chapter99 } = request;
    this.request = request;
    this.reviewed = reviewedOf(dataset);
    const { sha256: _, ...content } = JSON.parse(JSON.stringify(dataset)) as Dataset;
    this.source = sourceIdOf(edition.replace(/revision/i, 'rev'));
    const source: Source = {
      title: edition,
      address: 'USITC, Harmonized Tariff Schedule, Chapter 99',
      reading: 'official',
    };
    this.data = {
      ...content,
      version,
      known_through: effective > content.known_through ? effective : content.known_through,
      latest_material: `${edition} (${effective})`,
      sources: { ...content.sources, [this.source]: content.sources[this.source] ?? source },
      reviewed: this.reviewed,
    };
    this.printed = printedHeadings(officialExport);
    this.subdivisions = parseNotes(chapter99);
    const documents = (request.documents ?? []).map(document => ({ document, facts: readDocument(document) }));
    this.documents = documents.map(({ facts }) => facts);
    for (const { document, facts } of documents) {
      const { citation, address, otherDates } = facts;
      this.data.sources[sourceIdOf(citation)] ??= { title: citation, address, reading: 'official' };
      for (const part of document.unread)
        this.questions.push(`${citation}: review ${part}, which the draft doesn't use.`);
      for (const { value, location } of otherDates) {
        this.questions.push(`${citation}, ${location}: review the date ${value}, which the draft doesn't use.`);
      }
    }
  }

  /** Drafts changes to the lists based on the U.S. notes. */
  readNotes(): void {
    const { dataset, chapter99, effective } = this.request;
    const check = checkNotes(chapter99, effective, dataset, this.reviewed);
    const isRead = (name: string) => check.compared.some(({ subdivisions }) => subdivisions.includes(name));
    for (const compared of check.compared) {
      const lists = compared.lists.map(id => this.listOf(id));
      const page = this.pageOf(compared.subdivisions[0]!);
      const lost = new Set(compared.lost.map(prefixOf));
      const starts = lists.map(list => this.factsFor(list, page).effective_from);
      for (const list of lists) {
        const own = new Set([...lost].filter(prefix => this.isInForce(list, prefix)));
        if (own.size === 0) continue;
        const lastDay = addDays(this.factsFor(list, page).effective_from, -1);
        endProvisions(list, own, lastDay);
        this.changes.push(`${list.id}: ${own.size} provisions end on ${lastDay}.`);
      }
      const own = lists.flatMap(subdivisionsOfNote);
      const unknown = compared.subdivisions.filter(name => !own.some(each => name.startsWith(each)));
      const unassigned = unknown.length > 0 ? compared.gained : this.assign(compared.gained, lists, page);
      for (const name of compared.subdivisions) {
        const isMissing = unassigned.length > 0 || unknown.includes(name);
        this.cover('subdivision', name, isMissing ? 'missing' : 'modeled', page, {
          modeled: compared.lists.join(', '),
          missing: `The columns for ${compared.subdivisions.join(' and ')} are interleaved in the text. Assign these codes to lists: ${unassigned.join(' ')}`,
        });
      }
      if (lists.length === 1 && unknown.length === 0) {
        const date = this.countDate(starts[0]!);
        this.expectations.push({ list: lists[0]!.id, date, provisions: compared.printed });
      }
    }
    const notes = new Set(this.subdivisions.map(({ name }) => Number.parseInt(name, 10)));
    for (const { list: id, note } of check.not_found) {
      const number = Number(/note (\d+)/.exec(note)?.[1] ?? 0);
      if (!notes.has(number)) {
        const isPublished = number > 0;
        this.cover('list', id, isPublished ? 'missing' : 'waived', null, {
          waived: "The list is in a note that hasn't been assigned a number yet.",
          missing: `The text doesn't contain U.S. note ${number}.`,
        });
        continue;
      }
      const list = this.listOf(id);
      const open = list.batches.flatMap(({ provisions }) =>
        provisions.map(provision => prefixOf(typeof provision === 'string' ? provision : provision.hts)),
      );
      const start = this.factsFor(list, null).effective_from;
      const lastDay = addDays(start, -1);
      endProvisions(list, new Set(open), lastDay);
      this.changes.push(`${id}: all provisions end on ${lastDay}, because the text no longer contains ${note}.`);
      this.expectations.push({ list: id, date: this.countDate(start), provisions: 0 });
      this.cover('list', id, 'modeled', null, { modeled: 'ended' });
    }
    const unknown = new Set(check.unknown.map(({ subdivision }) => subdivision));
    for (const subdivision of this.subdivisions) {
      if (unknown.has(subdivision.name)) this.addList(subdivision);
      else if (!isRead(subdivision.name)) {
        this.cover('subdivision', subdivision.name, 'waived', subdivision.page, {
          waived: this.waiverOf(subdivision.name),
        });
      }
    }
  }

  /** Drafts heading changes based on the HTS export. */
  readHeadings(): void {
    const { dataset, officialExport, edition, effective } = this.request;
    const check = checkLists(officialExport, edition, { asOf: effective, dataset });
    const reasons = new Map<string, string>();
    for (const { heading, kind, ours, printed } of check.differences) {
      const reason = this.applyDifference(heading, kind, printed);
      if (reason !== null)
        reasons.set(heading, `${reason} (data set: ${ours || 'nothing'}; printed: ${printed || 'nothing'})`);
    }
    for (const { heading } of check.unknown_headings) {
      if (usesOf(this.data).has(heading)) continue;
      const reason = this.addHeading(this.printed.find(row => row.heading === heading)!);
      if (reason !== null) reasons.set(heading, reason);
    }
    const uses = usesOf(this.data);
    const others = new Set(this.reviewed.otherAuthorities.flatMap(({ headings }) => headings));
    for (const heading of new Set(this.printed.map(row => row.heading))) {
      if (others.has(heading)) continue;
      const reason = reasons.get(heading);
      const isModeled = uses.has(heading) && reason === undefined;
      this.cover('heading', heading, isModeled ? 'modeled' : 'missing', null, {
        modeled: [...new Set((uses.get(heading) ?? []).flatMap(({ lists }) => lists.map(({ id }) => id)))].join(', '),
        missing: reason ?? 'The heading isn’t in the draft, and no reviewer has assigned it to another authority.',
      });
    }
    for (const [heading, reason] of reasons) {
      if (!this.printed.some(row => row.heading === heading))
        this.cover('heading', heading, 'missing', null, { missing: reason });
    }
  }

  /**
   * Adds a stacking rule with the relation `not_established` for each pair of overlapping programs that has no stacking
   * rule.
   */
  addStacking(): void {
    const facts = this.facts(null, []);
    for (const { lists } of unstatedOverlaps(this.data.lists, this.data.stacking)) {
      const [a, b] = lists.map(id => this.listOf(id).program) as [Program, Program];
      this.data.stacking.push({
        ...facts,
        program: [a],
        relation: 'not_established',
        others: [b],
        text: `No reviewed source establishes how the duties for ${this.data.programs[a]} and ${this.data.programs[b]} interact.`,
      });
      this.questions.push(`Determine how the duties for the programs ${a} and ${b} interact.`);
    }
  }

  /** Returns the draft. */
  result(): DatasetDraft {
    const { coverage, changes, questions, expectations } = this;
    const evidence = evidenceOf(this.documents, {
      headings: this.startedHeadings,
      requested: this.request.effective,
      codes: this.startedCodes,
      lists: this.data.lists,
      knownHeadings: new Set([...usesOf(this.data).keys(), ...this.printed.map(({ heading }) => heading)]),
    });
    const content = JSON.stringify([this.data.lists, this.data.headings, this.data.stacking]);
    for (const source of [this.source, ...this.documents.map(({ citation }) => sourceIdOf(citation))]) {
      const isUsed = content.includes(`"${source}"`);
      if (!isUsed && this.request.dataset.sources[source] === undefined) delete this.data.sources[source];
    }
    return { dataset: this.data, coverage, changes, questions, expectations, evidence };
  }

  /** Adds each new code to its list. Returns the codes whose list can't be determined. */
  private assign(codes: readonly string[], lists: readonly TariffList[], page: string | null): string[] {
    const unassigned: string[] = [];
    const assigned = new Map<TariffList, string[]>();
    for (const code of codes) {
      const possible = lists.length === 1 ? lists : lists.filter(list => this.isInForce(list, code.slice(0, 4)));
      const [list] = possible;
      if (!list || possible.length > 1) unassigned.push(code);
      else assigned.set(list, [...(assigned.get(list) ?? []), code]);
    }
    for (const [list, own] of assigned) {
      const facts = this.factsFor(list, page);
      this.startProvisions(list, own, facts);
      this.changes.push(
        `${list.id}: ${own.length} provisions start on ${facts.effective_from}${page ? ` (page ${page})` : ''}.`,
      );
      if (lists.length > 1) {
        this.questions.push(
          `${list.id}: the lists' columns are interleaved in the text, so these codes were assigned to lists by heading: ${own.join(' ')}`,
        );
      }
    }
    return unassigned;
  }

  /**
   * Adds a list for an unknown subdivision that enumerates codes, using the duty from the heading that cites the
   * subdivision.
   */
  private addList({ name, codes, title, page }: Subdivision): void {
    const rated = this.generalHeadings(name);
    const [duty] = rated;
    if (!duty) {
      const citing = this.printed.filter(({ text }) => citedSubdivisions(text).includes(name));
      const named = citing.map(row => row.heading).join(', ');
      this.cover('subdivision', name, 'missing', page, {
        missing: `The subdivision enumerates ${codes.length} codes, but no heading states a rate for all of them. Headings that cite the subdivision: ${named || 'none'}.`,
      });
      return;
    }
    const program = this.programOf(name, `${title} ${duty.row.text}`, title);
    const { effective } = this.request;
    const note = `U.S. note ${name}, subchapter III, chapter 99, HTS`;
    const id = `${program.replaceAll('_', '-')}-${name.replace(/\((\w+)\)/, '$1').replace(/\((\w+)\)/g, '-$1')}`;
    const facts = this.facts(page, [duty.row.heading]);
    const list: TariffList = {
      id: this.data.lists.some(known => known.id === id) ? `${id}-${effective}` : id,
      title: title || `Articles in U.S. note ${name}`,
      program,
      role: /derivative/i.test(title) ? 'derivative' : 'article',
      note,
      terms: [{ ...facts, annex: null, ...this.dutyOf(duty.row, duty.rate) } satisfies Term],
      batches: [],
    };
    this.startProvisions(list, codes.map(formatHtsCode), facts);
    this.startHeading(duty.row.heading, facts, list.terms[0]!);
    this.data.lists.push(list);
    this.changes.push(`${list.id}: new list with ${codes.length} provisions under ${duty.row.heading}.`);
    this.expectations.push({
      list: list.id,
      date: this.countDate(facts.effective_from),
      provisions: new Set(codes.map(prefixOf)).size,
    });
    this.questions.push(`${list.id}: confirm the program, the role (${list.role}), and the conditions in the note.`);
    const related = this.data.headings.filter(
      heading =>
        includesDate(heading, effective) &&
        heading.lists.some(known => known !== list.id && this.listOf(known).program === program),
    );
    if (related.length > 0) {
      const numbers = [...new Set(related.flatMap(({ headings }) => headings))].join(', ');
      this.questions.push(`${list.id}: headings for the program’s other lists might also apply: ${numbers}.`);
    }
    if (rated.length > 1) {
      this.questions.push(
        `${list.id}: several headings state a rate: ${rated.map(({ row }) => row.heading).join(', ')}.`,
      );
    }
    this.cover('subdivision', name, 'modeled', page, { modeled: list.id });
  }

  /**
   * Returns the program of a new list. A note without a known program becomes a new program that a reviewer must name.
   */
  private programOf(subdivision: string, text: string, title: string): Program {
    const metals = ['steel', 'aluminum', 'copper'].filter(metal => title.toLowerCase().includes(metal));
    const note = Number.parseInt(subdivision, 10);
    const inNote = [
      ...new Set(this.data.lists.filter(list => notesIn(list.note).includes(note)).map(list => list.program)),
    ];
    if (metals.length === 1 && inNote.some(program => METALS.includes(program))) return metals[0]!;
    if (inNote.length === 1) return inNote[0]!;
    const id = `note_${note}`;
    if (!Object.hasOwn(this.data.programs, id)) {
      this.data.programs[id] = PLACEHOLDER;
      this.questions.push(`Add a name for the program ${id} to \`programs\`. Its heading covers: ${text.trim()}`);
    }
    return id;
  }

  /** Adds an unknown heading that cites known lists. Returns null, or the reason that the heading can't be modeled. */
  private addHeading(row: PrintedHeading): string | null {
    const cited = citedSubdivisions(row.text);
    const lists = this.data.lists.filter(list => subdivisionsOfNote(list).some(name => cited.includes(name)));
    const listed = new Set(lists.flatMap(subdivisionsOfNote));
    const unlisted = cited.filter(name => !listed.has(name));
    if (lists.length === 0 || unlisted.length > 0) {
      return `The heading depends on text that this tool can't interpret (${unlisted.join(', ') || 'no subdivision'}). Text: ${row.text}`;
    }
    const { countries, excepted, column1AtLeast, column1LessThan, phrases, privilegedForeignStatus } = readConditions(
      row.text,
    );
    const rate = parsePrintedRate(row.general);
    if (!rate || rate.type === 'blank') return `The rate can't be parsed: ${row.general}`;
    const limit = column1AtLeast === null ? null : this.column1Condition(column1AtLeast);
    const isUnread = phrases.length > 0 || privilegedForeignStatus || (column1AtLeast !== null && limit === null);
    if (isUnread || (countries.length === 0 && limit === null && column1LessThan === null)) {
      return `The heading's conditions must be modeled by hand. Text: ${row.text}`;
    }
    const facts = this.facts(null, [row.heading]);
    const heading: AlternativeHeading = {
      ...facts,
      ...this.dutyOf(row, rate),
      lists: lists.map(({ id }) => id),
      ...(countries.length > 0 && { origins: countries.sort() }),
      ...(excepted.length > 0 && { except_origins: excepted.sort() }),
      when: limit === null ? [] : [limit],
    };
    if (!heading.origins && heading.when.length === 0) {
      return `The heading depends only on the column 1 rate, not on a country of origin. Text: ${row.text}`;
    }
    const first = this.data.headings.findIndex(known => known.lists.some(list => heading.lists.includes(list)));
    this.data.headings.splice(first === -1 ? this.data.headings.length : first, 0, heading);
    this.startHeading(row.heading, facts, heading);
    this.changes.push(`${row.heading}: new heading for ${heading.lists.join(', ')}.`);
    this.questions.push(`${row.heading}: confirm its precedence and any conditions in the note. Text: ${row.text}`);
    return null;
  }

  /**
   * Applies a difference between a known heading and the printed text. Returns null, or the reason that the difference
   * can't be applied.
   */
  private applyDifference(heading: string, kind: string, printed: string): string | null {
    const { effective } = this.request;
    const inForce = this.data.headings.filter(use => use.headings.includes(heading) && includesDate(use, effective));
    const terms = this.data.lists.flatMap(list =>
      list.terms
        .filter(term => term.headings.includes(heading) && includesDate(term, effective))
        .map(term => ({ list, term })),
    );
    if (kind === 'not_printed') {
      const started = inForce.map(({ effective_from }) => effective_from).sort();
      const lastDay = addDays(this.facts(null, [heading], started.at(-1)).effective_from, -1);
      for (const use of inForce) use.effective_to = lastDay;
      const hasOpenProvisions = terms.filter(({ list }) => this.isListInForce(list));
      if (inForce.length > 0)
        this.changes.push(`${heading}: set to end on ${lastDay}, because the edition doesn't include the heading.`);
      const unresolved = hasOpenProvisions.filter(({ list, term }) => !this.replaceTerm(list, term));
      return unresolved.length > 0
        ? `The edition doesn’t include the heading for ${unresolved.map(({ list }) => list.id).join(', ')}, and no other heading states the rate.`
        : null;
    }
    const row = this.printed.find(each => each.heading === heading);
    const rate = row ? parsePrintedRate(row.general) : null;
    if (kind === 'rate' && row && rate && rate.type !== 'blank' && rate.type !== 'none') {
      const duty = this.dutyOf(row, rate);
      const started = [...inForce, ...terms.map(({ term }) => term)].map(({ effective_from }) => effective_from);
      const facts = this.facts(null, [heading], started.sort().at(-1));
      const lastDay = addDays(facts.effective_from, -1);
      for (const use of inForce) {
        this.data.headings.splice(this.data.headings.indexOf(use) + 1, 0, { ...use, ...duty, ...facts });
        use.effective_to = lastDay;
      }
      for (const { list, term } of terms) {
        list.terms.splice(list.terms.indexOf(term) + 1, 0, { ...term, ...duty, ...facts });
        term.effective_to = lastDay;
      }
      this.startHeading(heading, facts, duty);
      this.changes.push(`${heading}: ${printed} starting ${facts.effective_from}.`);
      return null;
    }
    return `The ${kind.replaceAll('_', ' ')} differs`;
  }

  /**
   * Replaces a list's duty with the duty from the only heading that states a rate for the list's subdivision. Returns
   * false if no heading or more than one heading states such a rate.
   */
  private replaceTerm(list: TariffList, term: Term): boolean {
    const rated = subdivisionsOfNote(list).flatMap(name => this.generalHeadings(name));
    const [duty] = rated;
    if (!duty || new Set(rated.map(({ row }) => row.heading)).size > 1) return false;
    const facts = this.facts(null, [duty.row.heading], term.effective_from);
    const next = { ...term, ...facts, ...this.dutyOf(duty.row, duty.rate) };
    list.terms.splice(list.terms.indexOf(term) + 1, 0, next);
    term.effective_to = addDays(facts.effective_from, -1);
    this.startHeading(duty.row.heading, facts, next);
    this.changes.push(
      `${list.id}: ${duty.row.heading} replaces ${term.headings.join(', ')} on ${facts.effective_from}.`,
    );
    this.questions.push(`${list.id}: confirm the annex, the conditions, and the value basis for ${duty.row.heading}.`);
    return true;
  }

  /**
   * Returns the headings that state a rate for all articles in a subdivision, regardless of origin or other conditions.
   */
  private generalHeadings(name: string) {
    const enumerating = new Set(this.subdivisions.map(subdivision => subdivision.name));
    return this.printed.flatMap(row => {
      const cited = citedSubdivisions(row.text);
      const { countries, column1AtLeast, column1LessThan, phrases, privilegedForeignStatus } = readConditions(row.text);
      const isGeneral =
        cited.includes(name) &&
        cited.every(each => enumerating.has(each)) &&
        countries.length + phrases.length === 0 &&
        column1AtLeast === null &&
        column1LessThan === null &&
        !privilegedForeignStatus;
      const rate = isGeneral ? parsePrintedRate(row.general) : null;
      return rate?.type === 'additional' || rate?.type === 'total' ? [{ row, rate }] : [];
    });
  }

  private dutyOf(row: PrintedHeading, rate: NonNullable<ReturnType<typeof parsePrintedRate>>): Duty {
    const rate_type = rate.type === 'additional' ? 'additional' : rate.type === 'total' ? 'total_floor' : 'none';
    return {
      headings: [row.heading],
      rate_pct: rate.type === 'additional' || rate.type === 'total' ? rate.pct : 0,
      rate_type,
      value_basis: rate.type === 'additional' ? rate.basis : 'full_customs_value',
    };
  }

  /**
   * Returns the ID of the condition that requires the column 1 rate to be at least a given percentage, or null if
   * there's no such condition.
   */
  private column1Condition(atLeast: number): string | null {
    const found = Object.entries(this.data.conditions).find(([, { test }]) => {
      const [only, ...others] = comparisonsOf(test);
      return (
        others.length === 0 && only?.fact === 'column1_rate_pct' && 'at_least' in only && only.at_least === atLeast
      );
    });
    return found?.[0] ?? null;
  }

  /**
   * Returns the dates, citation, and sources for drafted values. If the documents state a single effective date for
   * the headings, that date applies.
   *
   * @param after date when the current value took effect, which the new effective date must follow
   */
  private facts(page: string | null, headings: readonly string[], after = ''): DraftedFacts {
    const { edition, effective, act } = this.request;
    const stated = this.documents.flatMap(document =>
      headings.flatMap(heading => (document.dates.get(heading) ?? []).map(date => ({ document, ...date }))),
    );
    const [day = '', ...others] = new Set(stated.map(({ value }) => value));
    const known = others.length === 0 && day > after ? stated : [];
    const legal = act ?? known[0]?.document.citation;
    const dated_by: DateBasis = legal === undefined ? { first_printed: edition } : { legal };
    const citations = [
      ...(act === undefined ? [] : [act]),
      ...known.map(({ document, location }) => `${document.citation}, ${location}`),
      `${edition}${page === null ? '' : `, page ${page}`}`,
    ];
    const sources = [this.source, ...known.map(({ document }) => sourceIdOf(document.citation))];
    return {
      effective_from: known.length > 0 ? day : effective,
      effective_to: null,
      dated_by,
      citation: [...new Set(citations)].join('; '),
      sources: [...new Set(sources)],
    };
  }

  /** Returns the dates, citation, and sources for changes to a list. */
  private factsFor({ terms, batches }: TariffList, page: string | null): DraftedFacts {
    const open = [...terms, ...batches].filter(({ effective_to }) => effective_to === null);
    const headings = terms.filter(({ effective_to }) => effective_to === null).flatMap(term => term.headings);
    return this.facts(
      page,
      headings,
      open
        .map(({ effective_from }) => effective_from)
        .sort()
        .at(-1),
    );
  }

  /**
   * Returns the date for a list's provision count: `start` or the effective date of the changes, whichever is later.
   */
  private countDate(start: string): string {
    return start > this.request.effective ? start : this.request.effective;
  }

  private startProvisions(list: TariffList, codes: readonly string[], facts: DraftedFacts): void {
    addProvisions(list, codes, facts);
    this.startedCodes.set(list.id, [...(this.startedCodes.get(list.id) ?? []), ...codes]);
  }

  private startHeading(
    heading: string,
    facts: DraftedFacts,
    { rate_pct, rate_type }: Pick<Duty, 'rate_pct' | 'rate_type'>,
  ): void {
    if (this.startedHeadings.some(known => known.heading === heading)) return;
    this.startedHeadings.push({ heading, date: facts.effective_from, rate: rate_type === 'none' ? null : rate_pct });
  }

  private listOf(id: string): TariffList {
    return this.data.lists.find(list => list.id === id)!;
  }

  /**
   * Returns whether a list has a provision whose code starts with the digits and that's in force on the effective date
   * of the changes.
   */
  private isInForce({ batches }: TariffList, digits: string): boolean {
    return batches.some(
      batch =>
        includesDate(batch, this.request.effective) &&
        batch.provisions.some(provision =>
          prefixOf(typeof provision === 'string' ? provision : provision.hts).startsWith(digits),
        ),
    );
  }

  private isListInForce({ batches }: TariffList): boolean {
    return batches.some(batch => includesDate(batch, this.request.effective));
  }

  private pageOf(name: string): string | null {
    return this.subdivisions.find(subdivision => subdivision.name === name)?.page ?? null;
  }

  private waiverOf(name: string): string {
    const note = this.reviewed.notes.find(({ subdivision }) => name.startsWith(subdivision));
    if (note) return `${note.text} (reviewed ${note.reviewed})`;
    const number = Number.parseInt(name, 10);
    const other = this.reviewed.otherAuthorities.find(({ notes }) => notes.includes(number));
    return other
      ? `${other.authority} (reviewed ${other.reviewed})`
      : 'The subdivision belongs to a list that is no longer in force.';
  }

  private cover(
    kind: CoverageItem['kind'],
    name: string,
    state: CoverageItem['state'],
    page: string | null,
    explanations: Partial<Record<CoverageItem['state'], string>>,
  ): void {
    this.coverage.push({ kind, name, state, page, explanation: explanations[state] ?? '' });
  }
}

/** Returns the ID of a source, such as `csms-66319804`. */
function sourceIdOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
