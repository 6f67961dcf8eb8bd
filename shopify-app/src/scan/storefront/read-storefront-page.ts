import { pageRules } from '@compliance/core/pixel';
import { ScanFailed, type Scanner, type ScanRequest, type StorefrontScan } from '@compliance/crawler';
import type { PageCoverage, PageState } from '../model/types.ts';
import type { ChosenPage } from './choose-pages.ts';

/** Result of reading a storefront page, with a reason if the read failed. */
export interface PageReading {
  readonly coverage: PageCoverage;
  /** Scan result for the page, or null if the page wasn't read or isn't the page that shoppers see. */
  readonly scan: StorefrontScan | null;
}

const isRule = new Set(pageRules.map(({ meta }) => meta.id));

/**
 * Reads and scans a page. If the page can't be read, returns the page's state instead of throwing an error.
 *
 * @param origin origin of the shop's primary host, such as `https://www.shop.example`
 * @throws PoolError `busy` if the pool is full
 * @example (await readStorefrontPage(scanner, 'https://www.shop.example', { kind: 'home', path: '/' }, { asOf: '2026-11-21' })).coverage.state // 'read'
 */
export async function readStorefrontPage(
  scanner: Scanner,
  origin: string,
  page: ChosenPage,
  request: ScanRequest,
): Promise<PageReading> {
  const { kind, path } = page;
  const nothing = { kind, path, reason: null, status: null, scripts: 0, scriptsNotRead: 0, remarks: [] };
  if (path === null) return { coverage: { ...nothing, state: page.state }, scan: null };
  try {
    const scan = await scanner(origin + path, request);
    const state = scan.inventory.password ? 'password' : scan.inventory.complete ? 'read' : 'cut';
    const coverage: PageCoverage = {
      ...{ kind, path, state, reason: null, status: null, scripts: scan.scanned.scripts },
      scriptsNotRead: scan.notes.filter(({ code }) => code === 'script_not_read' || code === 'script_truncated').length,
      remarks: scan.findings
        .filter(({ rule_id }) => !isRule.has(rule_id))
        .map(({ rule_id, message, fix }) => ({ id: rule_id, message, fix })),
    };
    const findings = scan.findings.filter(({ rule_id }) => isRule.has(rule_id));
    return { coverage, scan: state === 'password' ? null : { ...scan, findings } };
  } catch (error) {
    if (!(error instanceof ScanFailed)) throw error;
    const { reason, status = null } = error;
    return { coverage: { ...nothing, state: stateOf(error), reason, status }, scan: null };
  }
}

function stateOf({ reason, status }: ScanFailed): PageState {
  if (reason === 'robots') return 'kept_out';
  return reason === 'http_error' && (status === 404 || status === 410) ? 'gone' : 'not_read';
}
