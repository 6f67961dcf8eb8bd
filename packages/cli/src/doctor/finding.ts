/** What the doctor says of one thing. It holds no secret. */
export interface Finding {
  /** What was looked at. */
  check: string;
  /** `fail`: the service does not start, or does harm. `warn`: it works, and something should be done. */
  status: 'ok' | 'warn' | 'fail';
  /** What was seen, as a sentence. */
  found: string;
  /** What to do, unless it is well. */
  todo?: string;
}

/** What the doctor looks at. */
export interface Patient {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Where the service is reached from outside, when that is set. */
  baseUrl: string | undefined;
  trustedProxies: number;
  /** Whether the service would refuse weak secrets: `NODE_ENV=production`. */
  isProduction: boolean;
}
