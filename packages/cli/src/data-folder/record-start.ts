import type { LinkKeys } from '@compliance/api';
import { describeLocation, type StoreLocation } from '@compliance/store';
import { version } from '../version.ts';
import { fingerprintOf, type LastStart, updateServiceRecord } from './service-record.ts';

/** Settings in effect when a service starts. */
export interface StartedService extends Pick<LastStart, 'host' | 'port'> {
  readonly location: StoreLocation;
  readonly baseUrl: string | undefined;
  readonly links: LinkKeys;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Records a starting service's settings in its data folder so that `doctor` can compare its own settings with them.
 */
export function recordStart({ location, baseUrl, links, env, host, port }: StartedService, now: number): void {
  const record = updateServiceRecord(location, {}, now);
  if (!record) return;
  const names = Object.keys(links.keys).filter(name => name !== links.active);
  const last_start: LastStart = {
    at: new Date(now).toISOString(),
    release: version,
    production: env.NODE_ENV === 'production',
    ...describeLocation(location),
    base_url: baseUrl ?? null,
    host,
    port,
    operator_secret: env.OPERATOR_SECRET ? 'environment' : 'file',
    link_keys: {
      origin: env.LINK_KEYS ? 'environment' : 'file',
      active: links.active,
      fingerprints: Object.fromEntries(
        [links.active, ...names].map(name => [name, fingerprintOf(record.id, name, links.keys[name]!)]),
      ),
    },
  };
  updateServiceRecord(location, { last_start }, now);
}
