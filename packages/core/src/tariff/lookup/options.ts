import { DATASET, type Dataset } from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import { parseOrigin } from '../dataset/origins.ts';
import { METALS, type Program } from '../dataset/programs.ts';
import { isCalendarDate } from '../dates.ts';
import type { Nomenclature } from '../nomenclature/nomenclature.ts';
import type { Query } from './code-result.ts';

/** Programs to check: a list of program IDs, `'all'`, or `'metals'` for steel, aluminum, and copper. */
export type ProgramSelection = readonly Program[] | 'all' | 'metals';

/** Lookup options. */
export interface LookupOptions {
  /** Date of entry for consumption in US Eastern time, in YYYY-MM-DD format. */
  asOf: string;
  /** The programs to check. The default is `'all'`. */
  programs?: ProgramSelection;
  /** Country of origin as an ISO alpha-2 code, `UK`, or `EU`. If set, each match lists every possible duty. */
  origin?: string;
  /** An official HTS export. If set, results indicate whether each code exists and include its description. */
  nomenclature?: Nomenclature;
  /** A data set from `loadDataset`. The default is the bundled data set. */
  dataset?: Dataset;
}

/** Error thrown for an invalid option. `option` is the option's name, and the message describes valid values. */
export class LookupOptionError extends RangeError {
  override name = 'LookupOptionError';
  readonly option: 'asOf' | 'programs' | 'origin';
  constructor(option: LookupOptionError['option'], message: string) {
    super(message);
    this.option = option;
  }
}

/**
 * Validates a calendar date.
 *
 * @throws LookupOptionError if the string isn't a calendar date
 */
export function requireDate(date: string): void {
  if (!isCalendarDate(date))
    throw new LookupOptionError('asOf', `${date} is not a calendar date in YYYY-MM-DD format.`);
}

/**
 * Validates a program selection and returns the selected programs.
 *
 * @throws LookupOptionError if no program is selected or a selected program isn't in the data set
 */
export function requirePrograms(selection: ProgramSelection, { programs }: Dataset): readonly Program[] {
  const all = Object.keys(programs);
  if (selection === 'all') return all;
  if (selection === 'metals') return METALS;
  if (selection.length > 0 && selection.every(program => all.includes(program))) return selection;
  throw new LookupOptionError('programs', `programs must be "all", "metals", or one or more of: ${all.join(', ')}.`);
}

/**
 * Validates lookup options.
 *
 * @throws LookupOptionError if the date, a program, or the origin is invalid
 */
export function readOptions({ asOf, programs = 'all', origin, dataset = DATASET }: LookupOptions): Query {
  const index = indexOf(dataset);
  if (typeof asOf !== 'string' || !isCalendarDate(asOf)) {
    throw new LookupOptionError('asOf', 'asOf must be a calendar date in YYYY-MM-DD format.');
  }
  const asked = new Set(requirePrograms(programs, dataset));
  const country = origin === undefined ? null : parseOrigin(origin);
  if (origin !== undefined && country === null) {
    throw new LookupOptionError('origin', 'origin must be an ISO 3166-1 alpha-2 country code, such as DE.');
  }
  return { index, date: asOf, programs: asked, origin: country };
}
