import type { StoreLocation } from '@compliance/store';
import type { ServiceRecord } from '../data-folder/service-record.ts';

/** Result of one check. Never contains a secret. */
export interface CheckResult {
  /** Name of the check. */
  check: string;
  /**
   * Severity of the result. `fail` means that the service can't start, isn't safe to run, or isn't the service that
   * these settings describe. `warn` means that the service works, but the deployment needs attention.
   */
  status: 'ok' | 'warn' | 'fail';
  /** Description of the result, in full sentences. */
  found: string;
  /** Instructions for fixing the problem; absent if the status is `ok`. */
  todo?: string;
}

/** Deployment settings to check. */
export interface Environment {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Public URL of the service, if set. */
  baseUrl: string | undefined;
  trustedProxies: number;
  /** URL of the egress proxy, if set. */
  egress: URL | undefined;
  /** Whether `NODE_ENV` is `production`. In production, the service rejects weak secrets. */
  isProduction: boolean;
  /** Locations of the tables and PDFs. */
  location: StoreLocation;
  /** Service record in the data folder, or null if the folder doesn't contain one. */
  record: ServiceRecord | null;
}
