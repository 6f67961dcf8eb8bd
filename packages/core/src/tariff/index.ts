/**
 * Section 232 look-up of HTS codes: pure functions over dated lists, each with its citation.
 *
 * @module
 */

export { easternDate, isCalendarDate } from './dates.ts';
export type { Duty, RateType, Role, Source, ValueBasis } from './edition/edition.ts';
export { ALL_PROGRAMS, METALS, PROGRAMS, type Program } from './edition/programs.ts';
export { compare, type ListDiff, type ListingChange, type ListingState } from './lists-over-time/compare.ts';
export {
  checkLists,
  type GoneProvision,
  type ListCheck,
  type OtherRate,
  type UnknownHeading,
} from './lists-over-time/freshness.ts';
export { type ListHistory, listHistories } from './lists-over-time/history.ts';
export { type ListInForce, type ListsInForce, listsInForce } from './lists-over-time/in-force.ts';
export { type ComparedNote, checkNotes, type NoteCheck } from './lists-over-time/notes.ts';
export type { Condition, Outcome } from './lookup/duty.ts';
export type { AdjacentHit, OtherProgram, Relation, Status } from './lookup/finding.ts';
export {
  type ListFacts,
  type Lookup,
  LookupOptionError,
  type LookupOptions,
  type LookupResult,
  lookup,
  prepareLookup,
} from './lookup/lookup.ts';
export type { Caveat, Match } from './lookup/match.ts';
export { dutyWords } from './lookup/message.ts';
export { parseOrigin } from './lookup/origins.ts';
export { formatHtsCode, type ParsedCode, parseHtsCode } from './nomenclature/hts-code.ts';
export {
  compareNomenclatures,
  type DeletedNumber,
  loadNomenclature,
  type Nomenclature,
  NomenclatureError,
} from './nomenclature/nomenclature.ts';
