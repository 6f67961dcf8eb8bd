/**
 * Section 232 look-up of HTS codes: pure functions over dated lists, each with its citation.
 *
 * @module
 */

export { compare, type ListDiff, type ListingChange, type ListingState } from './compare.ts';
export { easternDate, isCalendarDate } from './dates.ts';
export type { Condition, Outcome } from './duty.ts';
export type { Duty, RateType, Role, Source, ValueBasis } from './edition.ts';
export type { AdjacentHit, OtherProgram, Relation, Status } from './finding.ts';
export { checkLists, type GoneProvision, type ListCheck, type OtherRate, type UnknownHeading } from './freshness.ts';
export { type ListHistory, listHistories } from './history.ts';
export { formatHtsCode, type ParsedCode, parseHtsCode } from './hts-code.ts';
export { type ListInForce, type ListsInForce, listsInForce } from './in-force.ts';
export {
  type ListFacts,
  type Lookup,
  LookupOptionError,
  type LookupOptions,
  type LookupResult,
  lookup,
} from './lookup.ts';
export type { Caveat, Match } from './match.ts';
export { dutyWords } from './message.ts';
export {
  compareNomenclatures,
  type DeletedNumber,
  loadNomenclature,
  type Nomenclature,
  NomenclatureError,
} from './nomenclature.ts';
export { parseOrigin } from './origins.ts';
export { ALL_PROGRAMS, METALS, PROGRAMS, type Program } from './programs.ts';
