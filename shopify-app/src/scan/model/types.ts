import type { DiffHunk, Finding, Inventory, MessageTerm, NoFixReason } from '@compliance/core/pixel';
import type { ScanFailedReason } from '@compliance/crawler';
import type { ScanState, ScanTrigger } from '@compliance/store/shop';
import type { AdminFault } from '../../admin/admin.ts';

/** Payload of a `scan` job. */
export interface ScanJobRequest {
  readonly trigger: ScanTrigger;
  /** Whether the merchant is waiting for the result, for example after applying a fix. Defaults to false. */
  readonly isAwaited?: boolean;
}

/**
 * Progress of a `scan` job. `total` is 0 until the number of pages or files is known.
 *
 * @example { step: 'theme', done: 120, total: 311 }
 */
export interface ScanProgress {
  readonly step: 'shop' | 'storefront' | 'theme' | 'settling';
  /** Number of storefront pages or theme files processed so far. */
  readonly done: number;
  readonly total: number;
}

/** Result of a `scan` job in the `done` state. `shop.scans` stores the scan itself under the job ID. */
export interface ScanOutcome {
  readonly scanId: string;
  readonly state: ScanState;
  readonly score: number | null;
}

/** Storefront page type. */
export type PageKind = 'home' | 'product' | 'collection' | 'cart';

/**
 * Outcome of reading one page.
 *
 * `read` means that the whole page was read. `cut` means that the page or one of its scripts was only partly read.
 * `password` means that the store is password protected. `kept_out` means that the store's robots.txt excludes the page
 * from crawling, as Shopify's default robots.txt does for the cart page. `gone` means that the page no longer exists.
 * `absent` means that the store doesn't have a page of this type. For `not_read`, see `reason`.
 */
export type PageState = 'read' | 'cut' | 'password' | 'kept_out' | 'gone' | 'absent' | 'not_read';

/** Result of reading one storefront page. */
export interface PageCoverage {
  readonly kind: PageKind;
  /** Path and query on the shop's primary host, such as `/products/steel-mug`, or null if the state is `absent`. */
  readonly path: string | null;
  readonly state: PageState;
  /** Reason that the page wasn't read, or null if the page was read. */
  readonly reason: ScanFailedReason | null;
  /** HTTP status of a response that isn't a page. */
  readonly status: number | null;
  /** Number of scripts read, and number of the shop's own scripts that weren't fully read. */
  readonly scripts: number;
  readonly scriptsNotRead: number;
  /**
   * Remarks from the core library about limitations of the page scan, such as `shopify_preview_theme` or
   * `web_pixels_config_absent`.
   */
  readonly remarks: readonly { readonly id: string; readonly message: string; readonly fix: string }[];
}

/** Reason that a theme file wasn't read. `failed` means that Shopify didn't return it or that its name is too long. */
export type FileReason = 'failed' | 'not_text' | 'too_large' | 'too_complex';

/**
 * Result of reading the published theme.
 *
 * `read` means that every file was read. `partial` means that only some of the files were read. `no_scope` means that
 * the merchant didn't grant `read_themes`. `absent` means that the store has no published theme or the theme was
 * deleted during the scan. `not_read` means that no file was read. If Shopify returned an error, `fault` contains the
 * reason.
 */
export interface ThemeCoverage {
  readonly state: 'read' | 'partial' | 'no_scope' | 'absent' | 'not_read';
  readonly fault: AdminFault | null;
  readonly theme: { readonly id: string; readonly name: string } | null;
  /** Number of files that can contain code, and number of files read. */
  readonly files: number;
  readonly filesRead: number;
  /** Up to 20 files that weren't read, sorted by name. */
  readonly notRead: readonly { readonly name: string; readonly reason: FileReason }[];
}

/**
 * Part of the store that a storefront scan can't inspect. `tag_manager` refers to the Tag Manager containers in
 * `names`, whose contents couldn't be read. `pixel_sandbox` means the code of the custom and app pixels in `names`.
 * `checkout` means the checkout pages.
 */
export interface Unseen {
  readonly what: 'tag_manager' | 'pixel_sandbox' | 'checkout';
  readonly names: readonly string[];
}

/** Scan coverage: the parts of the store that the scan read, and the parts that the scan couldn't read. */
export interface ScanCoverage {
  /** Scanned host, such as `www.shop.example`. */
  readonly host: string;
  readonly pages: readonly PageCoverage[];
  readonly theme: ThemeCoverage;
  readonly unseen: readonly Unseen[];
}

/**
 * Reason that a scan isn't complete. If several reasons apply, the scan reports only the most significant reason.
 * `revoked` and `frozen` mean that Shopify no longer grants access. `password` or a failure reason from the crawler
 * means that the home page wasn't read. `no_scope` means that the merchant didn't grant `read_themes`. `theme` means
 * that all or part of the theme wasn't read for another reason. `pages` means that another page wasn't read. `scripts`
 * means that part of a page, or one of the shop's own scripts, wasn't read.
 */
export type ScanReason =
  | ScanFailedReason
  | 'revoked'
  | 'frozen'
  | 'password'
  | 'no_scope'
  | 'theme'
  | 'pages'
  | 'scripts';

/** Position in a theme file. Lines and columns start at 1 and are null if only the file is known. */
export interface FileLocation {
  /** Numeric theme ID, as used in admin URLs. */
  readonly themeId: string;
  /** Filename, such as `layout/theme.liquid`. */
  readonly name: string;
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * Origin of a finding.
 *
 * `file` means that the finding is in every file in `files`, usually only one. `candidates` means that the finding is
 * in one of the files in `files`. The other values apply to page findings that aren't in any file. `app` means an app
 * embed, app pixel, or script tag. `shopify_admin` means a Shopify setting, such as customer events or preferences.
 * `tag_manager` means a Google Tag Manager container. `checkout` means the checkout settings. `unknown` means that the
 * finding might come from an unread part of the theme.
 */
export type FindingOrigin = 'file' | 'candidates' | 'app' | 'shopify_admin' | 'tag_manager' | 'checkout' | 'unknown';

/** Fix for a finding: the exact lines of a theme file before and after the fix. */
export interface FileFix {
  /** Numeric theme ID, as used in admin URLs. */
  readonly themeId: string;
  /** Filename, such as `snippets/tracking.liquid`. */
  readonly name: string;
  readonly hunks: readonly DiffHunk[];
  /** Blocks of consecutive new lines, each with the number of its first line in the corrected file. */
  readonly added: readonly { readonly line: number; readonly text: string }[];
  /** Global functions and variables that the theme no longer defines after the fix. */
  readonly removes: readonly string[];
  /** Whole text of the corrected file, or null if the file is too long to store or contains personal data. */
  readonly corrected: string | null;
}

/**
 * Result for a finding that has no fix. In addition to the core library's reasons, there are `several_files` (the code
 * might be in any of several files), `asset` (the code is in a script file, whose source isn't read), and `settings`
 * (the code is in a section's settings).
 */
export interface NoFix {
  readonly reason: NoFixReason | 'several_files' | 'asset' | 'settings';
}

/** `detail` field of a finding in `shop.findings` or in a scan. */
export interface FindingDetail {
  /**
   * Finding as returned by the core library. If both a page and a theme file have the finding, this field contains the
   * page's version. A drift finding is located on the page that changed.
   */
  readonly finding: Finding;
  /** Paths of the pages that show the finding. The list is empty if the finding is only in the theme. */
  readonly pages: readonly string[];
  /**
   * Files that contain or might contain the finding. A file's URL in the theme editor is
   * `https://admin.shopify.com/store/{store}/themes/{themeId}?key={name}`.
   */
  readonly files: readonly FileLocation[];
  readonly origin: FindingOrigin;
  /**
   * Possible explanation for a drift finding, as returned by the core library, or null if the library has none. Results
   * stored by earlier releases contain English text.
   */
  readonly context: MessageTerm | string | null;
  /**
   * Fix for a finding in a theme file, or the reason that no fix is available. Not set for other findings, in recorded
   * scans, or in results stored by earlier releases.
   */
  readonly fix?: FileFix | NoFix;
}

/**
 * Inventory from a scan, with the tags on each page. A page that wasn't read keeps its last known state.
 *
 * A comparison of `baseline` and `seen` detects drift. A scan sets `baseline` to `seen` only if the two match or the
 * merchant has accepted every difference. Otherwise, `baseline` doesn't change, so scans report a missing tag until the
 * tag returns.
 */
export interface ScanInventory {
  readonly pages: readonly {
    readonly kind: PageKind;
    readonly path: string;
    readonly seen: Inventory;
    readonly baseline: Inventory;
  }[];
}
