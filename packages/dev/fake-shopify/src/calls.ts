/** Recorded call to the fake Shopify. */
export interface RecordedCall {
  /** Shop domain. Empty if the URL doesn't contain a shop domain. */
  readonly shop: string;
  /** Requested host. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  /** Operation name for an Admin API call. */
  readonly operation: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** HTTP response status. 0 if the connection was closed. */
  status: number;
}
