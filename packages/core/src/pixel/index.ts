export type { Capture, CapturedScript, CaptureNote, Profile, ScanOptions } from './capture.ts';
export { type DriftFinding, type DriftResult, drift } from './drift/drift.ts';
export type { Where } from './evidence/sighting.ts';
export type { Finding } from './finding.ts';
export type { Inventory, Tag, ThirdParty } from './inventory/inventory.ts';
export type { RuleMeta, Severity } from './rule.ts';
export { driftRules, pageRules } from './rules.gen.ts';
export { type ScanResult, scan } from './scan.ts';
export { SCORE_VERSION, type ScoreLine, scoreOf } from './score/score.ts';
