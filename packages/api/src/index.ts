/**
 * The v1 HTTP adapter over `@compliance/core`.
 *
 * @module
 */
export { type ApiDeps, createApi } from './api.ts';
export { ERRORS, type ErrorCode } from './errors.ts';
export type { Connection } from './gates/client-address.ts';
export type { OperatorAccess } from './operator/context.ts';
