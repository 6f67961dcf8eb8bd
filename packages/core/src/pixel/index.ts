export type { Beacon, BeaconConsent, BeaconProduct, SentRequest } from './beacons/beacon.ts';
export { readBeacons } from './beacons/read-beacons.ts';
export { readContainer } from './container/read-container.ts';
export { type DriftFinding, type DriftResult, drift } from './drift/drift.ts';
export type { Capture, CapturedScript, CaptureNote, Profile, ScanOptions } from './model/capture.ts';
export type { Container, ContainerTag, ContainerTrigger, UnreadableContainer } from './model/container.ts';
export type { Finding } from './model/finding.ts';
export type { Inventory, Tag, ThirdParty } from './model/inventory.ts';
export type { Where } from './model/observation.ts';
export type { RuleMeta, Severity } from './model/rule.ts';
export {
  type JoinedFinding,
  type JoinedScan,
  joinRendering,
  type RenderingVerdict,
  type TrafficFinding,
} from './rendered/join.ts';
export type {
  BeaconInitiator,
  ConsentDecision,
  Phase,
  PhaseRecord,
  RecordedBeacon,
  RenderedPage,
} from './rendered/rendered-page.ts';
export { htmlReport } from './report/html-report.ts';
export { plainRuleText } from './report/rule-text.ts';
export { type SarifLog, sarif } from './report/sarif.ts';
export { siteHtmlReport } from './report/site-html-report.ts';
export { driftRules, pageRules } from './rules/rules.gen.ts';
export { type ContextMeta, contextMetas } from './scan/context-findings.ts';
export { fingerprint } from './scan/fingerprint.ts';
export { type ScanResult, scan } from './scan/scan.ts';
export { SCORE_VERSION, type ScoreLine, scoreOf } from './score/score.ts';
export { combinePages } from './site/combine-pages.ts';
export { findSitePages, type SiteLinks, siteHomeUrl } from './site/find-pages.ts';
export type { PageOutcome } from './site/page-outcome.ts';
export { SITE_PAGE_LABELS, SITE_PAGE_TYPES, type SitePageType } from './site/page-type.ts';
export type { SiteDriftFinding, SiteFinding, SiteInventory, SitePage, SiteScan } from './site/site-scan.ts';
