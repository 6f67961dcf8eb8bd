/**
 * An external script on a captured page. `url` is absolute. `body` is the source as served, or an empty string if the
 * source wasn't fetched. For a theme file, `url` is its path, such as `layout/checkout.liquid`.
 *
 * @example { url: 'https://cdn.shop.example/app.js', status: 200, body: 'fbq("track","Lead")' }
 */
export interface CapturedScript {
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/**
 * A note about the capture, for example, that a script wasn't fetched.
 *
 * @example { code: 'script_not_fetched', url: 'https://cdn.shop.example/app.js' }
 */
export interface CaptureNote {
  readonly code: string;
  readonly message?: string;
  readonly url?: string;
}

/**
 * A storefront page as served, before any script runs. All content in a capture is untrusted. Header names are
 * lowercase. `truncated` is true if `html` or a script was cut off at a size limit.
 *
 * @example
 * { url: 'https://shop.example/', finalUrl: 'https://shop.example/', status: 200, headers: {}, html: '<html>…', scripts: [], truncated: false, notes: [] }
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
  /** Whether `html` is a theme file. A syntax error in a theme file doesn't prove that the rendered script is invalid. */
  readonly template?: boolean;
}

/**
 * The shop's visitor profile. `eea` raises the severity of consent findings, because Google requires consent mode v2
 * for visitors from the European Economic Area.
 */
export type Profile = 'default' | 'eea';

/** Scan options: the date (`YYYY-MM-DD`) to evaluate severities for, and the visitor profile. */
export interface ScanOptions {
  readonly asOf: string;
  readonly profile?: Profile;
}
