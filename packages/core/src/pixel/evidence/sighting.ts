import type { Arm, Confidence, State } from '../script/effect.ts';

/** How a tag comes onto the page. */
export type Channel =
  | 'theme'
  | 'app_pixel'
  | 'custom_pixel'
  | 'trekkie'
  | 'script_tag'
  | 'noscript'
  | 'amp'
  | 'platform';

/** Where something stands. `source` is `inline#3` (the third script of the page), an address, or a part of the page. */
export interface Where {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly url: string;
}

/** The circumstances every sighting has. */
export interface Seen {
  readonly state: State;
  readonly confidence: Confidence;
  readonly channel: Channel;
  readonly where: Where;
  readonly position: 'head' | 'body';
  /** Order of execution on the page. */
  readonly order: number;
  readonly arms: readonly Arm[];
  readonly guards: readonly string[];
  /** The source from the place on, as it stands. It may hold personal data until a finding is made of it. */
  readonly snippet: string;
}

/** Libraries that are recognised by address. */
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
  | 'other';

export type Vendor =
  | 'meta'
  | 'google'
  | 'gtm'
  | 'tiktok'
  | 'pinterest'
  | 'klaviyo'
  | 'snapchat'
  | 'microsoft'
  | 'x'
  | 'reddit'
  | 'linkedin'
  | 'hotjar'
  | 'other';

/** An id as written. `value` is `null` where it could not be resolved, or was no text or number. */
export interface SeenId {
  readonly value: string | null;
  /** A number literal too large to be exact: the id sent is not the id written. */
  readonly rounded: boolean;
}

/** A web pixel as the platform lists it. Fields that an older page does not have are `null`. */
export interface WebPixel {
  readonly type: string;
  readonly name: string | null;
  readonly app: string | null;
  readonly runtime: string | null;
  readonly purposes: readonly string[] | null;
  readonly vendor: Vendor;
  readonly ids: readonly string[];
}

/** One thing the page does with a tag. Rules read these, never the page's text. */
export type Sighting = Seen &
  (
    | {
        readonly kind: 'loader';
        readonly vendor: Vendor;
        readonly library: Library;
        readonly id: string | null;
        readonly host: string;
        readonly path: string;
        /** Served by the vendor, rather than by the shop or a copy. */
        readonly official: boolean;
        /** Name of the data layer a container was started with. */
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
        readonly id: SeenId;
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
      }
    | {
        readonly kind: 'consent';
        readonly vendor: 'meta' | 'google';
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

/** The sightings of one kind. */
export type Of<K extends Sighting['kind']> = Extract<Sighting, { kind: K }>;

/** What is known of the page as a whole. */
export interface Facts {
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
  /** A consent banner or consent interface was seen on the page. */
  readonly consentTool: string | null;
  /** Shopify sends Meta's server events for this shop. */
  readonly metaServerEvents: boolean;
  /** `missing` also when the list could not be read. */
  readonly webPixels: 'present' | 'missing';
  readonly unreadable: readonly Where[];
  /** Scripts that were read, inline and external. */
  readonly scripts: number;
  readonly truncated: boolean;
  readonly unfetched: readonly string[];
  /** The answer is no page that can be judged: an error, a refusal, or not HTML. */
  readonly blocked: string | null;
}

/** The theme a page was rendered with. */
export interface Theme {
  readonly id: string | null;
  readonly name: string | null;
  readonly role: string | null;
}

/** Everything a rule may look at. */
export interface Evidence {
  readonly sightings: readonly Sighting[];
  readonly facts: Facts;
}
