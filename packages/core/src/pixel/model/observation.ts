import type { AdVendor } from '../ad-pixels/ad-pixels.ts';
import type { ContainerTag } from './container.ts';
import type { EventParameters } from './event-parameters.ts';
import type { Branch, Confidence, State } from './execution.ts';
import type { Vendor } from './vendor.ts';

export type { Vendor } from './vendor.ts';

/** Method used to add a tag to the page. */
export type Channel =
  | 'theme'
  | 'app_pixel'
  | 'custom_pixel'
  | 'trekkie'
  | 'script_tag'
  | 'noscript'
  | 'amp'
  | 'gtm'
  | 'platform';

/**
 * A location in a page or theme file. `source` is a URL or a label, such as `inline#3` (the third script on the page)
 * or `theme files`. Line and column numbers start at 1.
 */
export interface Where {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly url: string;
}

/** Context fields in every observation. */
export interface ObservationContext {
  readonly state: State;
  readonly confidence: Confidence;
  readonly channel: Channel;
  readonly where: Where;
  readonly position: 'head' | 'body';
  /** Position in the page's execution order. */
  readonly order: number;
  readonly branches: readonly Branch[];
  /** Names that a condition tests before the code runs, as in `typeof fbq === 'function' && …`. */
  readonly guards: readonly string[];
  /**
   * Unmodified source code, starting at the observation's location. The snippet can contain personal data, which is
   * redacted in findings.
   */
  readonly snippet: string;
}

/** Libraries recognized by their URLs. */
export type Library =
  | 'fbevents'
  | 'fbds'
  | 'facebook_sdk'
  | 'gtm'
  | 'gtag'
  | 'analytics'
  | 'ga'
  | 'urchin'
  | 'optimize'
  | 'conversion'
  | 'ad_pixel'
  | 'other';

/** An ID as written in the code. `value` is `null` if the ID can't be resolved or isn't a string or number. */
export interface TagId {
  readonly value: string | null;
  /** Whether the ID is a number literal that JavaScript rounds, so the browser sends a different ID. */
  readonly rounded: boolean;
}

/** An entry in Shopify's web pixel list. Fields that older pages don't include are `null`. */
export interface WebPixel {
  readonly type: string;
  readonly name: string | null;
  readonly app: string | null;
  readonly runtime: string | null;
  readonly purposes: readonly string[] | null;
  readonly vendor: Vendor;
  readonly ids: readonly string[];
}

/**
 * One use of a tag on the page, such as loading a library or sending an event. Rules read observations, never the
 * page's text.
 */
export type TagObservation = ObservationContext &
  (
    | {
        readonly kind: 'loader';
        readonly vendor: Vendor;
        readonly library: Library;
        readonly id: string | null;
        readonly host: string;
        readonly path: string;
        /** Whether the vendor itself serves the file. False if the shop or another host serves a copy. */
        readonly official: boolean;
        /** Name of the data layer that the container uses. */
        readonly layer: string | null;
      }
    | {
        readonly kind: 'init';
        readonly vendor: Vendor;
        readonly api:
          | 'fbq'
          | 'fbq_legacy'
          | 'gtag'
          | 'analytics'
          | 'ga'
          | 'urchin'
          | 'amp'
          | 'preferences'
          | 'web_pixel'
          | 'other';
        readonly id: TagId;
        readonly pageView: boolean | null;
        readonly pii: readonly string[];
        readonly emitter: 'shopify' | 'page';
      }
    | {
        readonly kind: 'event';
        readonly vendor: Vendor;
        readonly method: string;
        readonly name: string | null;
        readonly target: string | null;
        readonly eventId: 'present' | 'absent' | 'unknown';
        readonly pii: readonly string[];
        /** Parameters that the event sends. Not set for event types whose parameters the scan doesn't read. */
        readonly parameters?: EventParameters;
      }
    | {
        /** Parameters that a vendor's library adds to every event, as in `gtag('set', { currency: 'USD' })`. */
        readonly kind: 'event_defaults';
        readonly vendor: Vendor;
        readonly parameters: EventParameters;
      }
    /** Definition of a function that queues calls until a vendor's library has loaded. */
    | { readonly kind: 'stub'; readonly vendor: AdVendor }
    | {
        readonly kind: 'consent';
        readonly vendor: 'meta' | 'google' | AdVendor;
        readonly command: string;
        readonly settings: Readonly<Record<string, string>>;
        readonly resolved: boolean;
        readonly regional: boolean;
      }
    | {
        readonly kind: 'beacon';
        readonly vendor: 'meta' | 'google';
        readonly api: 'pixel' | 'offsite' | 'collect_v1' | 'collect' | 'measurement_protocol' | 'viewthrough' | 'graph';
        readonly placement: 'noscript' | 'image' | 'lazy_image' | 'amp' | 'script';
        readonly params: Readonly<Record<string, string>>;
      }
    | { readonly kind: 'frame'; readonly vendor: 'gtm'; readonly id: string | null; readonly inNoscript: boolean }
    | {
        readonly kind: 'container';
        readonly library: 'gtm' | 'gtag';
        readonly id: string | null;
        readonly version: string | null;
        /** Reason the scan can't read the container, or `null`. */
        readonly unreadable: string | null;
        readonly templates: readonly string[];
        readonly serverUrls: readonly string[];
      }
    | { readonly kind: 'container_tag'; readonly container: string | null; readonly tag: ContainerTag }
    | {
        readonly kind: 'layer';
        readonly name: string;
        readonly action: 'overwrite' | 'push';
        readonly conditional: boolean;
      }
    | { readonly kind: 'legacy'; readonly api: string; readonly detail: string; readonly id: string | null }
    | { readonly kind: 'secret'; readonly secret: 'meta_token' | 'ga4_api_secret'; readonly shown: string }
    | (WebPixel & { readonly kind: 'web_pixel'; readonly entry: string })
    | { readonly kind: 'script_tag'; readonly host: string; readonly company: string | null }
    | { readonly kind: 'shopify_api'; readonly api: string; readonly detail: string }
    | { readonly kind: 'anti_flicker'; readonly id: string | null }
    | { readonly kind: 'third_party'; readonly host: string; readonly company: string; readonly category: string }
  );

/** An observation of a specific kind. */
export type ObservationOf<K extends TagObservation['kind']> = Extract<TagObservation, { kind: K }>;

/** An observation's fields, without its context. */
export type ObservationDetails = TagObservation extends infer O
  ? O extends TagObservation
    ? Omit<O, keyof ObservationContext>
    : never
  : never;

/**
 * Records an observation with the context of the current effect or element. `overrides` replaces parts of that context.
 */
export type AddObservation = (
  details: ObservationDetails,
  overrides?: { readonly state?: State; readonly confidence?: Confidence; readonly channel?: Channel },
) => void;
