import { basisOf } from '../dataset/alternatives.ts';
import { DATASET, type Dataset, type DatasetName, type Duty, nameOf, type Role } from '../dataset/dataset.ts';
import { type DatasetIndex, indexOf } from '../dataset/dataset-index.ts';
import type { Program } from '../dataset/programs.ts';
import { deepestNode, listingOn, type Provision, pathToRoot } from '../dataset/provisions.ts';
import { invalidMessage } from '../lookup/message.ts';
import { type ProgramSelection, requireDate, requirePrograms } from '../lookup/options.ts';
import { matchedDigits, parseHtsCode, prefixOf } from '../nomenclature/hts-code.ts';
import { suggestCodes } from '../nomenclature/suggest-codes.ts';

/** A provision's listing on one of the compared dates. */
export interface ListingState extends Duty {
  list: string;
  role: Role;
  hts: string;
  annex: string | null;
  citation: string;
}

/** A change to a program's provision between two dates. */
export interface ListingChange {
  program: Program;
  hts: string;
  /** The listing on the `from` date, or null if the provision isn't listed on that date. */
  before: ListingState | null;
  /** The listing on the `to` date, or null if the provision isn't listed on that date. */
  after: ListingState | null;
  /**
   * How much of a removed provision the same program still covers through other listings. `partly` means that only
   * narrower provisions are listed, and `fully` means that a broader provision is listed. Null for changes other than
   * removals.
   */
  still_covered: 'no' | 'partly' | 'fully' | null;
  /** Citation of the act that explicitly removed the provision, or null. */
  removed_by: string | null;
}

/** The differences between the lists on two dates. A provision can be in both `moved` and `rate_changed`. */
export interface ListDiff extends DatasetName {
  from: string;
  to: string;
  programs: Program[];
  added: ListingChange[];
  removed: ListingChange[];
  moved: ListingChange[];
  rate_changed: ListingChange[];
}

/** A change that affects at least one submitted code. */
export interface CodeChange extends ListingChange {
  /** The submitted codes that the provision covers or that cover the provision. */
  codes: string[];
}

/** The differences between the lists on two dates, limited to changes that affect the submitted codes. */
export interface CodeDiff extends Omit<ListDiff, 'added' | 'removed' | 'moved' | 'rate_changed'> {
  added: CodeChange[];
  removed: CodeChange[];
  moved: CodeChange[];
  rate_changed: CodeChange[];
  /** Submitted strings that aren't HTS codes and therefore don't match any change. */
  invalid_codes: { code: string; message: string }[];
}

/**
 * Compares the lists on two dates and returns the provisions that were added, removed, moved to another annex, or
 * assigned a different duty. Provisions are compared by program and digits, so rewriting `8431.20.00` as
 * `8431.20.00.00` isn't a change.
 *
 * @throws LookupOptionError if a date or a program is invalid
 * @example compare('2026-06-07', '2026-06-08').moved.length // 65
 */
export function compare(
  from: string,
  to: string,
  programs: ProgramSelection = 'all',
  dataset: Dataset = DATASET,
): ListDiff {
  const index = indexOf(dataset);
  for (const date of [from, to]) requireDate(date);
  const compared = requirePrograms(programs, dataset);
  const before = listingsOn(index, from, compared);
  const after = listingsOn(index, to, compared);
  const diff: ListDiff = {
    from,
    to,
    programs: [...compared],
    ...nameOf(dataset),
    added: [],
    removed: [],
    moved: [],
    rate_changed: [],
  };
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(key), after.get(key)];
    const provision = (a ?? b)!;
    const change: ListingChange = {
      program: provision.list.program,
      hts: provision.hts,
      before: a ? state(a, from) : null,
      after: b ? state(b, to) : null,
      still_covered: b ? null : stillCovered(index, provision, to),
      removed_by: b ? null : removedBy(dataset, provision, from, to),
    };
    if (!change.before) diff.added.push(change);
    else if (!change.after) diff.removed.push(change);
    else {
      if (change.before.annex !== change.after.annex) diff.moved.push(change);
      if (duty(change.before) !== duty(change.after)) diff.rate_changed.push(change);
    }
  }
  return diff;
}

/**
 * Compares the lists on two dates and returns the changes to provisions that cover a submitted code or are covered by
 * one. Duplicate codes are returned once.
 *
 * @throws LookupOptionError if a date or a program is invalid
 * @example
 * const { added } = compareForCodes(['9403.20.0075', '7318.15'], '2026-06-07', '2026-06-08');
 * added[0].codes // ['9403.20.0075']
 */
export function compareForCodes(
  codes: readonly string[],
  from: string,
  to: string,
  programs: ProgramSelection = 'all',
  dataset: Dataset = DATASET,
): CodeDiff {
  const { added, removed, moved, rate_changed, ...rest } = compare(from, to, programs, dataset);
  const prefixes = new Set([added, removed, moved, rate_changed].flat().map(({ hts }) => prefixOf(hts)));
  const codesAt = new Map<string, Set<string>>();
  const affectedBy = new Map<string, Set<string>>();
  const invalid_codes: CodeDiff['invalid_codes'] = [];
  for (const code of new Set(codes)) {
    const parsed = parseHtsCode(code);
    if (!parsed.ok) {
      invalid_codes.push({ code, message: invalidMessage(parsed.reason, suggestCodes(code)) });
      continue;
    }
    const digits = matchedDigits(parsed.digits);
    addTo(codesAt, digits, code);
    for (const prefix of stemsOf(digits)) if (prefixes.has(prefix)) addTo(affectedBy, prefix, code);
  }
  const affecting = (changes: readonly ListingChange[]): CodeChange[] =>
    changes.flatMap(change => {
      const prefix = prefixOf(change.hts);
      const affected = new Set(affectedBy.get(prefix));
      for (const stem of stemsOf(prefix)) for (const code of codesAt.get(stem) ?? []) affected.add(code);
      return affected.size > 0 ? [{ ...change, codes: [...affected] }] : [];
    });
  return {
    ...rest,
    ...{ added: affecting(added), removed: affecting(removed) },
    ...{ moved: affecting(moved), rate_changed: affecting(rate_changed), invalid_codes },
  };
}

/** Returns a number's 4-, 6-, 8-, and 10-digit prefixes, up to the number's length. */
function stemsOf(digits: string): string[] {
  return [4, 6, 8, 10].filter(length => length <= digits.length).map(length => digits.slice(0, length));
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}

/** Returns a map of the provisions in force, sorted by code and keyed by `<digits> <program>`. */
function listingsOn({ provisions }: DatasetIndex, date: string, programs: readonly Program[]): Map<string, Provision> {
  const listings = new Map<string, Provision>();
  for (const provision of provisions) {
    const { program } = provision.list;
    if (programs.includes(program) && listingOn(provision, date))
      listings.set(`${provision.prefix} ${program}`, provision);
  }
  return listings;
}

function state(provision: Provision, date: string): ListingState {
  const { term, citation } = listingOn(provision, date)!;
  const { annex, headings, rate_pct, rate_type } = term;
  const { list, hts, prefix } = provision;
  const value_basis = basisOf(term, prefix.slice(0, 2));
  return { list: list.id, role: list.role, hts, annex, headings, rate_pct, rate_type, value_basis, citation };
}

function duty({ headings, rate_pct, rate_type, value_basis }: Duty): string {
  return JSON.stringify([headings, rate_pct, rate_type, value_basis]);
}

function stillCovered({ trie }: DatasetIndex, { prefix, list }: Provision, date: string): 'no' | 'partly' | 'fully' {
  const covers = (other: Provision) => other.list.program === list.program && listingOn(other, date) !== undefined;
  const node = deepestNode(trie, prefix)!;
  if (node.parent && pathToRoot(node.parent).some(ancestor => ancestor.provisions.some(covers))) return 'fully';
  return node.descendants.some(covers) ? 'partly' : 'no';
}

function removedBy({ removals }: Dataset, { prefix, list }: Provision, from: string, to: string): string | null {
  const names = (hts: string) => prefixOf(hts) === prefix;
  const removal = removals.find(
    ({ effective, removed }) => from < effective && effective <= to && removed[list.program]?.some(names),
  );
  return removal?.citation ?? null;
}
