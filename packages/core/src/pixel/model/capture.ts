/**
 * An external script on a captured page, or a theme file. `url` is the script's absolute URL or the theme file's path,
 * such as `layout/checkout.liquid`. `body` is the source as served, or an empty string if the source wasn't fetched.
 *
 * @example { url: 'https://cdn.shop.example/app.js', status: 200, body: 'fbq("track","Lead")' }
 */
export interface CapturedScript {
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/**
 * A note about the capture, for example, that a script wasn't fetched. A `scripts_left_out` note with the reason
 * `over_limit` lists the URLs of up to ten scripts that exceeded the crawler's limit.
 *
 * @example { code: 'script_not_fetched', url: 'https://cdn.shop.example/app.js' }
 */
export interface CaptureNote {
  readonly code: string;
  readonly message?: string;
  readonly url?: string;
  readonly reason?: string;
  readonly urls?: readonly string[];
}

/**
 * A storefront page as served, before any script runs. All content in a capture is untrusted. Header names are
 * lowercase. `truncated` is true if `html` or a script was cut off at a size limit.
 *
 * @example
 * const url = 'https://shop.example/';
 * { url, finalUrl: url, status: 200, headers: {}, html: '<html>…', scripts: [], truncated: false, notes: [] }
 */
export interface Capture {
  readonly url: string;
  readonly finalUrl: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
  readonly scripts: readonly CapturedScript[];
  readonly truncated: boolean;
  readonly notes: readonly CaptureNote[];
  /** Whether `html` is a theme file. If a theme file has a syntax error, the rendered script can still be valid. */
  readonly template?: boolean;
}

/**
 * The region where the shop's visitors are located. With `eea` (European Economic Area, where Google requires consent
 * mode v2), `ad_pixel_without_consent`, `google_consent_default_missing`, and `gtm_tag_without_consent` findings are
 * warnings instead of notes, unless the scan detects a consent tool that could control the tags.
 */
export type Profile = 'default' | 'eea';

/** Scan options: the date (`YYYY-MM-DD`) that determines severities, and the visitor profile. */
export interface ScanOptions {
  readonly asOf: string;
  readonly profile?: Profile;
}
