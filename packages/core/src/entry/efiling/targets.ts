import type { EfilingMessageId } from '../efiling-messages/efiling-messages.ts';

/** A target that eFiling data can be written for: its name, and the type and suggested name of the file. */
export interface WrittenTarget {
  readonly title: string;
  readonly media_type: string;
  readonly filename: string;
}

/** Targets that eFiling data can be written for. */
export const WRITTEN_TARGETS = {
  registry_csv: {
    title: 'CPSC Product Registry, CSV import',
    media_type: 'text/csv',
    filename: 'registry.csv',
  },
  fedex_reference: {
    title: 'FedEx Ship API, reference message',
    media_type: 'application/json',
    filename: 'fedex-reference.json',
  },
  fedex_disclaim: {
    title: 'FedEx Ship API, disclaim message',
    media_type: 'application/json',
    filename: 'fedex-disclaim.json',
  },
} as const satisfies Readonly<Record<string, WrittenTarget>>;

/** Targets that we can't export eFiling data for, each with the ID of the message that explains why. */
export const UNCONFIRMED_TARGETS = {
  registry_api: {
    title: 'CPSC Product Registry, API',
    reason: 'registry_api_unavailable',
  },
  fedex_full: {
    title: 'FedEx Regulatory API, full message',
    reason: 'fedex_full_unavailable',
  },
  easypost: {
    title: 'EasyPost, customs item',
    reason: 'easypost_unavailable',
  },
  shipstation: {
    title: 'ShipStation API, customs item',
    reason: 'shipstation_unavailable',
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly reason: EfilingMessageId }>>;

/** Name of an eFiling target. */
export type EfilingTarget = keyof typeof WRITTEN_TARGETS | keyof typeof UNCONFIRMED_TARGETS;

/** Names of all eFiling targets. */
export const EFILING_TARGETS = [...Object.keys(WRITTEN_TARGETS), ...Object.keys(UNCONFIRMED_TARGETS)] as [
  EfilingTarget,
  ...EfilingTarget[],
];
