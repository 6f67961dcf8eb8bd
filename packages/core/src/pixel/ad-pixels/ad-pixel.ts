/** A page that documents a fact, and the date when the fact was checked against the page (`YYYY-MM-DD`). */
interface FactSource {
  readonly url: string;
  readonly checked: string;
}

/**
 * Location of a value in a call: the index of the argument (not counting the command) and, if the argument is an
 * object, the key.
 */
export interface CallArgument {
  readonly index: number;
  readonly key?: string;
}

/** Vendors' names for pixel and event IDs, for use in messages. */
export const ID_NOUNS = {
  public_api_key: 'public API key',
  partner_id: 'partner ID',
  conversion_id: 'conversion ID',
  tag_id: 'tag ID',
  pixel_id: 'pixel ID',
  event_id: 'event ID',
} as const;

/** Descriptions of ID formats, for use in messages. */
export const ID_FORMATS = {
  six_letters_or_digits: 'six letters or digits',
  digits_only: 'digits only',
  up_to_18_digits: 'up to 18 digits',
  reddit_id_format: 't2_ or a2_, followed by letters and digits',
  uuid: 'a UUID with 32 hexadecimal digits',
  x_pixel_id_format: 'letters and digits, such as o8z6j',
  x_event_id_format: 'an ID such as tw-o8z6j-o87ne, from Events Manager',
} as const;

/**
 * An advertising vendor's pixel. A call can take several forms: `f('track', name)`, `f.track(name)`,
 * `f.push('track', name)`, or `f.push(['track', name])`, where `f` is one of the `globals` and `track` is the command.
 * Every fact has a source.
 */
export interface AdPixel<V extends string = string> {
  readonly vendor: V;
  /** Company name. */
  readonly company: string;
  /** Pixel name used in messages. */
  readonly name: string;
  /** Functions, objects, and queues that the base code defines. */
  readonly globals: readonly string[];
  /**
   * The vendor's library and the part of its URL that contains the pixel ID: a query parameter or a capture group in
   * the path.
   */
  readonly library: {
    readonly hosts: readonly string[];
    readonly path: RegExp;
    readonly idIn: { readonly parameter: string; readonly path?: RegExp } | null;
  };
  readonly calls: {
    /** Commands that initialize the pixel with an ID. */
    readonly init: Readonly<Record<string, CallArgument>>;
    /** Commands that send an event identified by its name or by a vendor-assigned ID. */
    readonly event: Readonly<Record<string, CallArgument>>;
    /** Commands that send a page view. */
    readonly pageView: readonly string[];
    /** Commands that delay tracking until the visitor consents or that pass the visitor's choice to the vendor. */
    readonly consent: readonly string[];
    /** Class that initializes the pixel, and the option that contains the ID. */
    readonly initClass?: { readonly name: string; readonly key: string };
    /** Variables and lists that contain the ID. */
    readonly variables?: { readonly names: readonly string[]; readonly list: string };
  };
  /** Whether the pixel sends a page view each time it's initialized. */
  readonly initSendsPageView: boolean;
  /** Documented format of the ID, or `null` if the vendor doesn't document a format. */
  readonly id: {
    readonly noun: keyof typeof ID_NOUNS;
    readonly format: { readonly pattern: RegExp; readonly description: keyof typeof ID_FORMATS } | null;
  };
  /**
   * Standard event names or the format of vendor-assigned event IDs. `null` if event names can be chosen freely.
   * Vendors also accept custom names, so a name counts as a mistake only if it nearly matches a standard name.
   * `reserved` contains other names that the vendor recognizes. `exact` is true if capitalization and separators
   * matter.
   */
  readonly events:
    | {
        readonly kind: 'names';
        readonly names: readonly string[];
        readonly reserved?: readonly string[];
        readonly pageView: string | null;
        readonly exact: boolean;
      }
    | {
        readonly kind: 'ids';
        readonly pattern: RegExp;
        readonly noun: keyof typeof ID_NOUNS;
        readonly description: keyof typeof ID_FORMATS;
      }
    | null;
  /** Whether the pixel follows a Shopify store's consent settings without additional code. */
  readonly followsShopifyConsent: boolean;
  readonly sources: {
    readonly calls: FactSource;
    readonly id: FactSource;
    readonly events: FactSource;
    readonly consent: FactSource;
  };
}

/**
 * Declares a pixel and preserves the vendor's name as a literal type.
 *
 * @throws `Error` if a fact has no source, that is, if a URL or a date is missing or malformed.
 * @example defineAdPixel({ vendor: 'tiktok', company: 'TikTok', … })
 */
export function defineAdPixel<const V extends string>(pixel: AdPixel<V>): AdPixel<V> {
  for (const [fact, source] of Object.entries(pixel.sources))
    if (!/^https:\/\/\S+\.\S+$/.test(source.url) || !/^\d{4}-\d\d-\d\d$/.test(source.checked))
      throw new Error(`The ${pixel.vendor} pixel is missing a valid source for its ${fact}. Add the URL and the date.`);
  return pixel;
}
