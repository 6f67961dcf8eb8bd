export type { Beacon, BeaconConsent, BeaconProduct, SentRequest } from './beacons/beacon.ts';
export { withoutPersonalData } from './beacons/personal-data.ts';
export { readBeacons } from './beacons/read-beacons.ts';
export { readContainer } from './container/read-container.ts';
export { type DriftFinding, type DriftResult, drift } from './drift/drift.ts';
export { type DiffHunk, type DiffLine, diffOf } from './fixes/diff.ts';
export { applyEdit, type FileEdit, type LineChange } from './fixes/file-edit.ts';
export type { NoFixReason } from './fixes/no-fix-reason.ts';
export { proposeFixes, type ThemeFix } from './fixes/propose-fixes.ts';
export {
  localizeFinding,
  localizeRule,
  localizeTerm,
  type RuleTranslation,
  ruleTexts,
  type ScanTranslation,
} from './localization/localize.ts';
export type { Capture, CapturedScript, CaptureNote, Profile, ScanOptions } from './model/capture.ts';
export type { Container, ContainerTag, ContainerTrigger, UnreadableContainer } from './model/container.ts';
export type { ContainerEvent } from './model/container-event.ts';
export type { Finding } from './model/finding.ts';
export type { Inventory, Tag, ThirdParty } from './model/inventory.ts';
export { formatTerm, type MessageTerm, type MessageValues, messageParameters } from './model/message.ts';
export type { Where } from './model/observation.ts';
export type { RuleMeta, Severity } from './model/rule.ts';
export { MESSAGE_TERMS } from './model/terms.ts';
export { VENDOR_NAMES, type Vendor } from './model/vendor.ts';
export type { RenderingVerdict } from './rendered/evaluate-finding.ts';
export { type EndedRequest, type FailedRequest, failedRequest } from './rendered/failed-request.ts';
export {
  type JoinedFinding,
  type JoinedScan,
  type JoinedTraffic,
  joinRendering,
  scoredTraffic,
} from './rendered/join.ts';
export { RENDERING_MESSAGES, type RenderingTranslation } from './rendered/messages.ts';
export {
  type BeaconInitiator,
  type ConsentDecision,
  JOURNEY_STEPS,
  type JourneyStep,
  type Phase,
  type PhaseRecord,
  type QueueCall,
  type RecordedBeacon,
  type RenderedPage,
  type SkippedStep,
  type StepFailure,
  type VisitStep,
} from './rendered/rendered-page.ts';
export { senderName } from './rendered/sent-events.ts';
export { TRAFFIC_PROBLEMS, type TrafficCode, type TrafficFinding } from './rendered/traffic.ts';
export { unseenSteps } from './rendered/unseen-steps.ts';
export { htmlReport } from './report/html-report.ts';
export { renderedHtmlReport, type StepPicture } from './report/rendered-html-report.ts';
export { plainRuleText } from './report/rule-text.ts';
export { type SarifLog, sarif } from './report/sarif.ts';
export { pageResult, siteHtmlReport } from './report/site-html-report.ts';
export { stepTitle } from './report/step-title.ts';
export {
  knownText,
  REPORT_TEXTS,
  type ReportText,
  type ReportTextId,
  type ReportTranslation,
  reportText,
} from './report/texts.ts';
export { RULES_KNOWN_THROUGH } from './rules/known-through.ts';
export { driftRules, pageRules } from './rules/rules.gen.ts';
export { type ContextMeta, contextMetas } from './scan/context-findings.ts';
export { fingerprint } from './scan/fingerprint.ts';
export { containsPersonalData } from './scan/redact.ts';
export { type ScanResult, scan } from './scan/scan.ts';
export { SCORE_VERSION, type ScoreLine, scoreOf } from './score/score.ts';
export { combinePages } from './site/combine-pages.ts';
export { findLinkedPages, findSitePages, type SiteLinks, siteHomeUrl } from './site/find-pages.ts';
export type { PageOutcome } from './site/page-outcome.ts';
export { SITE_PAGE_LABELS, SITE_PAGE_TYPES, type SitePageType } from './site/page-type.ts';
export type { SiteDriftFinding, SiteFinding, SiteInventory, SitePage, SiteScan } from './site/site-scan.ts';
export { scanThemeFile, type ThemeFileText } from './theme-file/scan-theme-file.ts';
export { isVendorScript } from './vendors/known-urls.ts';
