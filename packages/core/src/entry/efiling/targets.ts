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

/** Targets that eFiling data can't be written for, each with the reason. */
export const UNCONFIRMED_TARGETS = {
  registry_api: {
    title: 'CPSC Product Registry, API',
    reason:
      'Not available: the schema couldn’t be confirmed. We could read only the cover, change log, and table of contents of CPSC’s eFiling API Specifications 2.0 (2024-08-02).',
  },
  fedex_full: {
    title: 'FedEx Regulatory API, full message',
    reason:
      'Not available: the schema couldn’t be confirmed. FedEx accepts the full message only through its Regulatory API, whose fields we couldn’t read. FedEx’s Ship API accepts the reference message.',
  },
  easypost: {
    title: 'EasyPost, customs item',
    reason:
      'Not available: the schema couldn’t be confirmed. EasyPost’s guide says that a customs item can contain the certifier ID, product ID, and version ID, but we couldn’t read the field names.',
  },
  shipstation: {
    title: 'ShipStation API, customs item',
    reason:
      'Not available: the schema couldn’t be confirmed. ShipStation’s guide says that a shipment can contain CPSC data, but we couldn’t read the field names.',
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly reason: string }>>;

/** Name of an eFiling target. */
export type EfilingTarget = keyof typeof WRITTEN_TARGETS | keyof typeof UNCONFIRMED_TARGETS;

/** Names of all eFiling targets. */
export const EFILING_TARGETS = [...Object.keys(WRITTEN_TARGETS), ...Object.keys(UNCONFIRMED_TARGETS)] as [
  EfilingTarget,
  ...EfilingTarget[],
];
