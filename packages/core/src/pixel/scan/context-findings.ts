import { docsUrl, type Finding } from '../model/finding.ts';
import type { Where } from '../model/observation.ts';
import type { PageObservations } from '../model/page-observations.ts';
import { ofKind, unreadContainers } from '../model/queries.ts';

/** Metadata for a context finding, which is used to generate the finding's documentation page. */
export interface ContextMeta {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly fix: string;
}

const CONTEXTS = {
  scan_js_unparsable: {
    title: "A script isn't valid JavaScript",
    what: "A script on the page isn't valid JavaScript, so browsers don't run it.",
    fix: 'Look for leftover template tags or HTML entities in the script.',
  },
  scan_truncated: {
    title: 'The page was only partially scanned',
    what: "The page exceeds the scan's size or nesting limit, so the rest of the page wasn't scanned.",
    fix: 'Scan a smaller page that uses the same template.',
  },
  scan_fetch_partial: {
    title: "A script wasn't fetched",
    what: "The scan didn't fetch some of the page's external scripts, so it can't see any tags in them.",
    fix: 'Scan again when the scripts are available.',
  },
  shopify_not_detected: {
    title: "The page doesn't look like a Shopify storefront",
    what: 'Nothing on the page indicates a Shopify storefront. Rules for Shopify storefronts might not apply.',
    fix: 'Check the URL.',
  },
  shopify_headless: {
    title: 'Headless storefront',
    what: "Web pixels don't run automatically on a headless storefront, so tags belong in the storefront code.",
    fix: 'Keep the tags in the storefront code, and run them only with consent.',
  },
  shopify_password_page: {
    title: 'The store is password-protected',
    what: 'The store returned its password page, which has its own layout and tags.',
    fix: "Remove the store password, or scan a page that doesn't require it.",
  },
  shopify_preview_theme: {
    title: "The theme isn't published",
    what: 'The page uses a theme preview or an unpublished theme, not the theme that customers see.',
    fix: 'Scan the published theme.',
  },
  web_pixels_config_absent: {
    title: 'The web pixel list is missing',
    what: "The page doesn't have a web pixel list, so the scan can't see app pixels or custom pixels.",
    fix: 'The scan might have received a cached page or a page served to bots. Scan the page source that a browser receives.',
  },
  gtm_contents_unseen: {
    title: "The contents of a Tag Manager container aren't visible",
    what: "The scan couldn't read a Tag Manager container that the page loads, so it can't see the container's tags.",
    fix: 'Include the container in the scan, or review the container in Tag Manager.',
  },
} as const satisfies Record<string, Omit<ContextMeta, 'id'>>;

/**
 * Metadata for every context finding. Context findings describe the page or the limits of the scan, and they never lower the
 * score.
 */
export const contextMetas: readonly ContextMeta[] = Object.entries(CONTEXTS).map(([id, meta]) => ({ id, ...meta }));

/** The page-specific part of a context finding. */
interface Context {
  readonly id: keyof typeof CONTEXTS;
  readonly message: string;
  readonly where?: Where;
}

const plural = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function contexts(page: PageObservations): Context[] {
  const { facts } = page;
  const { shopify } = facts;
  const found: Context[] = [];
  const add = (id: Context['id'], message: string = CONTEXTS[id].what): void => {
    found.push({ id, message });
  };
  const [invalid] = facts.invalidScripts;
  if (invalid) {
    const count = plural(facts.invalidScripts.length, "script isn't", "scripts aren't");
    const it = facts.invalidScripts.length === 1 ? 'it' : 'them';
    const message = `${count} valid JavaScript, so browsers don't run ${it}.`;
    found.push({ id: 'scan_js_unparsable', message, where: invalid.error });
  }
  if (facts.truncated) add('scan_truncated');
  if (facts.unfetched.length > 0) {
    const count = plural(facts.unfetched.length, "external script wasn't", "external scripts weren't");
    add(
      'scan_fetch_partial',
      `${count} fetched, so the scan can't see any tags in ${facts.unfetched.length === 1 ? 'it' : 'them'}.`,
    );
  }
  if (!shopify.detected)
    add(
      'shopify_not_detected',
      "This page doesn't look like a Shopify storefront. Rules for Shopify storefronts might not apply.",
    );
  if (shopify.kind === 'headless')
    add(
      'shopify_headless',
      "This is a headless storefront. Web pixels don't run automatically here, so tags belong in the storefront code.",
    );
  if (facts.password) add('shopify_password_page');
  if (facts.preview) add('shopify_preview_theme');
  if (shopify.kind === 'liquid' && facts.webPixels === 'missing') add('web_pixels_config_absent');
  const unread = unreadContainers(page);
  if (unread.length > 0) add('gtm_contents_unseen', unseenMessage(page, [...new Set(unread.map(o => o.id))]));
  return found;
}

function unseenMessage(page: PageObservations, ids: readonly (string | null)[]): string {
  const unreadable = ofKind(page, 'container').filter(c => c.unreadable !== null);
  const names = ids.slice(0, 10).map(id => {
    const reason = unreadable.find(c => c.id === id)?.unreadable;
    return `${id ?? 'with an unknown ID'}${reason ? ` (unreadable container: ${reason})` : ''}`;
  });
  return `The scan couldn't read container ${names.join(', ')}, so it can't see which tags ${ids.length === 1 ? 'the container loads' : 'these containers load'}.`;
}

/** Returns the context findings for a page. */
export function contextFindings(page: PageObservations): Finding[] {
  const wholePage: Where = { source: 'page', line: 1, column: 1, url: page.facts.url };
  return contexts(page).map(({ id, message, where }) => ({
    rule_id: id,
    severity: 'info',
    message,
    confidence: 'certain',
    ids: [],
    where: where ?? wholePage,
    snippet: '',
    state: 'run',
    variant: null,
    owner: 'theme',
    fix: CONTEXTS[id].fix,
    docs_url: docsUrl(id),
    since: null,
    escalates_on: null,
    mitigated: false,
  }));
}
