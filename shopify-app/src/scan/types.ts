import type { Finding, Inventory } from '@compliance/core/pixel';
import type { Reason } from '@compliance/crawler';
import type { ScanState, ScanTrigger } from '@compliance/store';
import type { AdminFault } from '../admin/admin.ts';

/** The payload of a job of kind `scan`. */
export interface ScanRequest {
  readonly trigger: ScanTrigger;
}

/**
 * How far a scan is, the progress of a job of kind `scan`. `total` is 0 while it is not known yet.
 *
 * @example { step: 'theme', done: 120, total: 311 }
 */
export interface ScanProgress {
  readonly step: 'shop' | 'storefront' | 'theme' | 'settling';
  /** Pages of the storefront or files of the theme that are done with. */
  readonly done: number;
  readonly total: number;
}

/** What a `done` job of kind `scan` gave; the scan itself is in `shop.scans`, under the id of the job. */
export interface ScanOutcome {
  readonly scanId: string;
  readonly state: ScanState;
  readonly score: number | null;
}

/** What a page of the storefront stands for. */
export type PageKind = 'home' | 'product' | 'collection' | 'cart';

/**
 * What became of a page.
 * `read`: in full. `cut`: read, but a part of it or some of its scripts were not. `password`: the store is behind its
 * password page. `kept_out`: the store's robots.txt asks automatic visitors to stay away, as Shopify's own does for the cart.
 * `gone`: there is no such page any more. `absent`: the store has none of this kind. `not_read`: `reason` says why.
 */
export type PageState = 'read' | 'cut' | 'password' | 'kept_out' | 'gone' | 'absent' | 'not_read';

/** What a scan saw of one page. */
export interface PageCoverage {
  readonly kind: PageKind;
  /** Path and query on the shop's primary host, such as `/products/steel-mug`; null when `absent`. */
  readonly path: string | null;
  readonly state: PageState;
  /** Why it was not read; null when it was. */
  readonly reason: Reason | null;
  /** The HTTP status of an answer that was no page. */
  readonly status: number | null;
  /** How many scripts of the page were read, and how many of the shop's own were not. */
  readonly scripts: number;
  readonly scriptsNotRead: number;
  /** What core says about how much can be seen of this page (`shopify_preview_theme`, `web_pixels_config_absent`, …). */
  readonly remarks: readonly { readonly id: string; readonly message: string; readonly fix: string }[];
}

/** Why a file of the theme was not read: Shopify did not give it, it is no text, it is too large or too hard. */
export type FileReason = 'failed' | 'not_text' | 'too_large' | 'too_complex';

/**
 * What a scan saw of the published theme.
 * `read`: every file. `partial`: all but those in `notRead`. `no_scope`: the merchant did not grant `read_themes`.
 * `absent`: there is no published theme, or it was deleted while it was read. `not_read`: Shopify gave no answer, `fault` says which.
 */
export interface ThemeCoverage {
  readonly state: 'read' | 'partial' | 'no_scope' | 'absent' | 'not_read';
  readonly fault: AdminFault | null;
  readonly theme: { readonly id: string; readonly name: string } | null;
  /** How many files may hold code, and how many of them were read. */
  readonly files: number;
  readonly filesRead: number;
  /** At most the first twenty, by name. */
  readonly notRead: readonly { readonly name: string; readonly reason: FileReason }[];
}

/**
 * What no scan of a storefront can ever see. `tag_manager`: what a container loads, `names` being the containers.
 * `pixel_sandbox`: the code of custom pixels and of apps' pixels, `names` being their names or ids.
 * `checkout`: the pages from check-out on.
 */
export interface Unseen {
  readonly what: 'tag_manager' | 'pixel_sandbox' | 'checkout';
  readonly names: readonly string[];
}

/** What a scan read and what it did not: the `coverage` of a scan. */
export interface ScanCoverage {
  /** The host that was read, such as `www.shop.example`. */
  readonly host: string;
  readonly pages: readonly PageCoverage[];
  readonly theme: ThemeCoverage;
  readonly unseen: readonly Unseen[];
}

/**
 * Why a scan is not complete, its `reason`; the first that applies. `revoked` and `frozen`: Shopify no longer lets the app ask.
 * `password`, or a word of the crawler: the home page was not read. `no_scope`, `theme`: the theme was not read, or not all of
 * it. `pages`: another page was not read. `scripts`: some of a page's own scripts were not.
 */
export type ScanReason = Reason | 'revoked' | 'frozen' | 'password' | 'no_scope' | 'theme' | 'pages' | 'scripts';

/** A place in a file of the theme. Lines and columns count from 1; null where only the file is known. */
export interface FileLocation {
  /** The number of the theme, as it stands in addresses of the admin. */
  readonly themeId: string;
  /** `layout/theme.liquid` */
  readonly name: string;
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * Where a finding comes from.
 * `file`: the one file in `files` holds it. `candidates`: one of the `files` does, and nothing tells which.
 * The others hold for a finding of a page that is in no file: `app` an app (an app embed, an app's pixel or script tag),
 * `shopify_admin` a setting of Shopify (Customer events, Preferences), `tag_manager` a container, `checkout` the checkout's
 * settings. `unknown`: the theme was not read in full, so it may be in there.
 */
export type FindingOrigin = 'file' | 'candidates' | 'app' | 'shopify_admin' | 'tag_manager' | 'checkout' | 'unknown';

/** The `detail` of a finding in `shop.findings` and of a scan. */
export interface FindingDetail {
  /** As core gives it, seen on a page before in a file; of a drift rule, with its place being the page. */
  readonly finding: Finding;
  /** Paths of the pages that it was seen on; empty when it is in the theme alone. */
  readonly pages: readonly string[];
  /** The files that it is in or may be in. The theme editor opens `https://admin.shopify.com/store/{store}/themes/{themeId}?key={name}`. */
  readonly files: readonly FileLocation[];
  readonly origin: FindingOrigin;
  /** Of a drift rule: what may explain the change (core's words), or null. */
  readonly context: string | null;
}

/**
 * What was found on the pages: the `inventory` of a scan. A page that was not read keeps what was known of it.
 * `baseline` is what `seen` is compared with for drift. It follows `seen` once there is no difference left, or the merchant
 * has accepted every difference; until then it stays, so that a tag that went missing stays missing until it is back.
 */
export interface ScanInventory {
  readonly pages: readonly {
    readonly kind: PageKind;
    readonly path: string;
    readonly seen: Inventory;
    readonly baseline: Inventory;
  }[];
}
