export type { AuditEntry, AuditLog, AuditRow, AuditState } from './audit.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { isWellFormedKey, KEY_SCOPES, type KeyScope } from './key-text.ts';
export type { IssuedKey, KeyChange, KeyRecord, KeyStatus, Keys, RotationOverlap } from './keys.ts';
export type { LimitQuotas, Limits, LimitTake, LimitWindow } from './limits.ts';
export type { Nomenclature, Nomenclatures } from './nomenclatures.ts';
export { openStore, type StoreOptions } from './open.ts';
export type { Store } from './store.ts';
export type { DailyUsage, Usage } from './usage.ts';
