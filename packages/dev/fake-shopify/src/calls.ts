/** Recorded call to the fake Shopify. */
export interface RecordedCall {
  /** Shop domain, or an empty string if the requested host isn't a fake shop's domain. */
  readonly shop: string;
  /** Requested host. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  /** Operation name for an Admin API call, or null for other calls. */
  readonly operation: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** HTTP response status, or 0 until the response is ready. */
  status: number;
}
