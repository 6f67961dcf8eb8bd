/** One call that the stand-in was asked. */
export interface Call {
  /** The shop's domain; empty where the address names none. */
  readonly shop: string;
  /** The host that was meant. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  /** The operation's name, for calls of the Admin API. */
  readonly operation: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The status of the answer; 0 when the connection was cut. */
  status: number;
}
