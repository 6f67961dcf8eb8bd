import type { TagObservation, Where } from './observation.ts';

/** The theme that rendered the page. */
export interface Theme {
  readonly id: string | null;
  readonly name: string | null;
  readonly role: string | null;
}

/** A script with a syntax error, which browsers don't run. */
export interface InvalidScript {
  /** Script label, as in an observation's `where.source`. */
  readonly source: string;
  readonly url: string;
  /** Location of the syntax error. */
  readonly error: Where;
  /**
   * Whether the script might be valid on the original page, for example, if the capture is a copy that was saved as
   * XML.
   */
  readonly uncertain: boolean;
}

/** Facts about the page as a whole. */
export interface PageFacts {
  readonly url: string;
  readonly asOf: string;
  readonly profile: 'default' | 'eea';
  readonly shopify: {
    readonly detected: boolean;
    readonly kind: 'liquid' | 'headless' | 'unknown';
    readonly theme: Theme | null;
  };
  readonly pageType: string;
  readonly password: boolean;
  readonly preview: boolean;
  /** Name of the page's consent banner or consent API, or `null`. */
  readonly consentTool: string | null;
  /** Whether Shopify sends server events to Meta for this shop. */
  readonly metaServerEvents: boolean;
  /** Whether the page has a readable web pixel list. */
  readonly webPixels: 'present' | 'missing';
  /** Scripts with a syntax error, in page order. */
  readonly invalidScripts: readonly InvalidScript[];
  /** Number of inline and external scripts that the scan read. */
  readonly scripts: number;
  readonly truncated: boolean;
  /** Scripts that could contain tags but were not fetched. Unread containers are reported separately. */
  readonly unfetched: readonly string[];
  /** Whether the page loads a script that the scan didn't read. Scripts served by a vendor don't count. */
  readonly hasUnreadScripts: boolean;
  /** Whether code on the page adds a script that the scan didn't read and that isn't vendor code. */
  readonly addsUnreadScripts: boolean;
  /**
   * Reason the response can't be scored (an HTTP error, a bot challenge, an empty page, or a response that isn't
   * HTML), or `null` if the response can be scored.
   */
  readonly blocked: string | null;
}

/** Rule input: a page's observations in execution order, and facts about the page. */
export interface PageObservations {
  readonly observations: readonly TagObservation[];
  readonly facts: PageFacts;
}
