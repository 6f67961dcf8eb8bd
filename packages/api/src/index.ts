/**
 * The v1 HTTP adapter over `@compliance/core`.
 *
 * @module
 */
export { type Api, type ApiDeps, createApi } from './api.ts';
export { ERRORS, type ErrorCode } from './errors.ts';
export type { Connection } from './gates/client-address.ts';
export type { FailureFacts, RequestFacts, RequestLog, RequestMetrics } from './observe.ts';
export type { Retirement } from './v0/v0.ts';
