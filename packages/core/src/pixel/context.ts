import { hasContainer } from './evidence/queries.ts';
import type { Evidence, Where } from './evidence/sighting.ts';
import { docsUrl, type Finding } from './finding.ts';

/** What a context finding says about itself. Its documentation page is written from this. */
export interface ContextMeta {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly fix: string;
}

const CONTEXTS = {
  scan_js_unparsable: {
    title: 'A script could not be read',
    what: 'A script of the page is no valid JavaScript and could not be read; tags inside were not seen.',
    fix: 'Look for template tags or entities left in the script.',
  },
  scan_truncated: {
    title: 'The page was not read to its end',
    what: 'The page is larger or nested deeper than the scan reads; the rest was not seen.',
    fix: 'Scan a smaller page of the same template.',
  },
  scan_fetch_partial: {
    title: 'A script was not fetched',
    what: 'External scripts of the page were not read, so tags inside were not seen.',
    fix: 'Scan again when the scripts can be fetched.',
  },
  shopify_not_detected: {
    title: 'This does not look like a Shopify storefront',
    what: 'Nothing on the page tells of Shopify; rules about Shopify may not apply.',
    fix: 'Check the address.',
  },
  shopify_headless: {
    title: 'A headless storefront',
    what: 'Web pixels do not run by themselves on a headless storefront; tags belong to the code.',
    fix: 'Keep the tags in the code and gate them by consent.',
  },
  shopify_password_page: {
    title: 'The store is behind its password page',
    what: 'The store answered with its password page; its tags are those of another layout.',
    fix: 'Open the store, or scan with access.',
  },
  shopify_preview_theme: {
    title: 'Not the published theme',
    what: 'This is a theme preview or an unpublished theme, not what customers see.',
    fix: 'Scan the published theme.',
  },
  web_pixels_config_absent: {
    title: 'The list of web pixels is missing',
    what: 'The page holds no list of web pixels, so app and custom pixels were not seen.',
    fix: 'The page may be cached or made for robots; scan again from a browser.',
  },
  gtm_contents_unseen: {
    title: 'The inside of a Tag Manager container is not seen',
    what: 'What a Tag Manager container loads cannot be seen from the page.',
    fix: 'Review the container in Tag Manager.',
  },
} as const satisfies Record<string, Omit<ContextMeta, 'id'>>;

/** Every context finding, by id: they say how much a scan could see, and cost nothing. */
export const contextMetas: readonly ContextMeta[] = Object.entries(CONTEXTS).map(([id, meta]) => ({ id, ...meta }));

/** A context finding on this page: what is said beside its meta. */
interface Context {
  readonly id: keyof typeof CONTEXTS;
  readonly message: string;
  readonly where?: Where;
}

const plural = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function contexts(evidence: Evidence): Context[] {
  const { facts } = evidence;
  const { shopify } = facts;
  const found: Context[] = [];
  const add = (id: Context['id'], message: string = CONTEXTS[id].what): void => {
    found.push({ id, message });
  };
  const [unreadable] = facts.unreadable;
  if (unreadable) {
    const count = plural(facts.unreadable.length, 'script is', 'scripts are');
    const message = `${count} no valid JavaScript and could not be read.`;
    found.push({ id: 'scan_js_unparsable', message, where: unreadable });
  }
  if (facts.truncated) add('scan_truncated');
  if (facts.unfetched.length > 0) {
    const count = plural(facts.unfetched.length, 'external script was', 'external scripts were');
    add('scan_fetch_partial', `${count} not read, so tags inside were not seen.`);
  }
  if (!shopify.detected)
    add('shopify_not_detected', 'This does not look like a Shopify storefront; rules about Shopify may not apply.');
  if (shopify.kind === 'headless')
    add(
      'shopify_headless',
      'This is a headless storefront: web pixels do not run here by themselves, tags belong to the code.',
    );
  if (facts.password) add('shopify_password_page');
  if (facts.preview) add('shopify_preview_theme');
  if (shopify.kind === 'liquid' && facts.webPixels === 'missing') add('web_pixels_config_absent');
  if (hasContainer(evidence)) add('gtm_contents_unseen');
  return found;
}

/** The context findings of a scan. */
export function contextFindings(evidence: Evidence): Finding[] {
  const page: Where = { source: 'page', line: 1, column: 1, url: evidence.facts.url };
  return contexts(evidence).map(({ id, message, where }) => ({
    rule_id: id,
    severity: 'info',
    message,
    confidence: 'certain',
    ids: [],
    where: where ?? page,
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
