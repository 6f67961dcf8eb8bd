/**
 * One external script of a captured page. `url` is absolute. `body` is the source as served, or empty when it was not read.
 * A file of a theme archive has its path as `url`, for example `layout/checkout.liquid`.
 *
 * @example { url: 'https://cdn.shop.example/app.js', status: 200, body: 'fbq("track","Lead")' }
 */
export interface CapturedScript {
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

/**
 * Something the capture wants to say about itself, for example that one script was not fetched.
 *
 * @example { code: 'script_not_fetched', url: 'https://cdn.shop.example/app.js' }
 */
export interface CaptureNote {
  readonly code: string;
  readonly message?: string;
  readonly url?: string;
}

/**
 * A storefront page as it was served, before any script ran. Every byte of it is treated as hostile.
 * Header names are lower case. `truncated` says that `html` or a script was cut at a size limit.
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
}

/** Which visitors the shop serves. `eea` raises the consent findings, because consent mode v2 is required there. */
export type Profile = 'default' | 'eea';

/** What a scan needs besides the page: the date severities are judged by (`YYYY-MM-DD`) and the visitor profile. */
export interface ScanOptions {
  readonly asOf: string;
  readonly profile?: Profile;
}
