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
export { QUOTAS } from './assess/fact-values.ts';
export {
  type AssessFacts,
  type MetalShares,
  type Money,
  type OtherDuty,
  QUOTA_STATUSES,
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
export {
  DATASET,
  type Dataset,
  type DatasetName,
  type DateBasis,
  type Duty,
  programName,
  type RateType,
  type Role,
  type Source,
  type StackingRelation,
  type Term,
  type ValueBasis,
} from './dataset/dataset.ts';
export { type DifferenceKind, REASONS, type Reason } from './dataset/difference-kinds.ts';
export { originPattern, parseOrigin } from './dataset/origins.ts';
export { ALL_PROGRAMS, type BundledProgram, METALS, PROGRAMS, type Program } from './dataset/programs.ts';
export { easternDate, isCalendarDate } from './dates.ts';
export type { DocumentEvidence } from './draft/document-evidence.ts';
export {
  type CoverageItem,
  checkExpectations,
  type DatasetDraft,
  type DraftExpectation,
  type DraftRequest,
  draftDataset,
  isFullyCovered,
} from './draft/draft-dataset.ts';
export type { DocumentParagraph, OfficialDocument } from './draft/read-document.ts';
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
export {
  type Change,
  compareDatasets,
  type DatasetDiff,
  type DatedProvision,
  isSameData,
} from './history/compare-datasets.ts';
export type { Days, HeadingDifference } from './history/compare-headings.ts';
export { type EffectiveChange, effectiveChanges, type ProgramChange } from './history/effective-changes.ts';
export { type ListInForce, type ListsInForce, listsInForce } from './history/in-force.ts';
export { type ListHistory, listHistories } from './history/list-history.ts';
export {
  type LocalizedListing,
  type LocalizedStacking,
  localizeListing,
  localizeStacking,
  type TariffTranslation,
} from './localize.ts';
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
export {
  type CandidateOptions,
  type CodeCandidate,
  type FindCandidates,
  type ProductText,
  prepareCandidates,
} from './nomenclature/find-candidates.ts';
export { formatHtsCode, type ParsedCode, parseHtsCode } from './nomenclature/hts-code.ts';
export {
  compareNomenclatures,
  type DeletedNumber,
  loadNomenclature,
  type Nomenclature,
  NomenclatureError,
  type PrintedRates,
} from './nomenclature/nomenclature.ts';
export {
  type CompareCodes,
  changesInEffect,
  compareWatchedCodes,
  type DatasetComparison,
  type EffectivePeriod,
  prepareChangesInEffect,
  prepareDatasetComparison,
  type WatchChange,
  type WatchComparison,
  type WatchedCode,
  type WatchIssue,
} from './watch/watch.ts';
export type { WatchedDuty, WatchedOutcome, WatchedResult } from './watch/watched-result.ts';
