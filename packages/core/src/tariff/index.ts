/**
 * Pure functions that look up HTS codes in dated Section 232 lists and return citations.
 *
 * @module
 */

export {
  type Article,
  AssessError,
  type AssessedDuty,
  type Assessment,
  type AssessOptions,
  type AssessOutcome,
  assess,
  type MissingFact,
} from './assess/assess.ts';
export type { Assumption } from './assess/assumptions.ts';
export type { Step } from './assess/decide.ts';
export {
  type AssessFacts,
  type MetalShares,
  type Money,
  type OtherDuty,
  QUOTA_STATUSES,
  QUOTAS,
} from './assess/facts.ts';
export {
  FACT_KINDS,
  FACT_LIMITS,
  FACT_MESSAGES,
  type FactIssue,
  type FactKind,
  isOriginOrUnknown,
  issueInFacts,
  MAX_OTHER_DUTIES,
  MAX_VALUES,
  MONEY_TEXT,
} from './assess/validate-facts.ts';
export type { DateBasis, Duty, RateType, Role, Source, StackingRelation, ValueBasis } from './dataset/dataset.ts';
export { parseOrigin } from './dataset/origins.ts';
export { ALL_PROGRAMS, METALS, PROGRAMS, type Program } from './dataset/programs.ts';
export { easternDate, isCalendarDate } from './dates.ts';
export {
  type CheckFacts,
  type CheckOptions,
  checkExtract,
  checkLists,
  countFindings,
  type ExplainedDifference,
  type GoneProvision,
  isClean,
  isHeadingExtract,
  type ListCheck,
  UnknownEditionError,
  type UnknownHeading,
  type UnknownNote,
} from './history/check-lists.ts';
export { type ComparedNote, checkNotes, isCleanNotes, type NoteCheck } from './history/check-notes.ts';
export {
  type CodeChange,
  type CodeDiff,
  compare,
  compareForCodes,
  type ListDiff,
  type ListingChange,
  type ListingState,
} from './history/compare.ts';
export type { Days, HeadingDifference } from './history/compare-headings.ts';
export { type DifferenceKind, REASONS, type Reason } from './history/difference-kinds.ts';
export { type ListInForce, type ListsInForce, listsInForce } from './history/in-force.ts';
export { type ListHistory, listHistories } from './history/list-history.ts';
export type { AdjacentHit, MatchStacking, OtherProgram, Relation, Status } from './lookup/code-result.ts';
export type { Condition, Outcome } from './lookup/duty.ts';
export {
  type ListFacts,
  type Lookup,
  type LookupResult,
  lookup,
  prepareLookup,
} from './lookup/lookup.ts';
export type { Caveat, Match } from './lookup/match.ts';
export { dutyWords } from './lookup/message.ts';
export { LookupOptionError, type LookupOptions, type ProgramSelection } from './lookup/options.ts';
export { formatHtsCode, type ParsedCode, parseHtsCode } from './nomenclature/hts-code.ts';
export {
  compareNomenclatures,
  type DeletedNumber,
  loadNomenclature,
  type Nomenclature,
  NomenclatureError,
  type PrintedRates,
} from './nomenclature/nomenclature.ts';
