import { hasContainer } from './evidence/queries.ts';
import type { Evidence, Where } from './evidence/sighting.ts';
import { docsUrl, type Finding } from './finding.ts';

/** What a context finding is about: its message, and what to do. They say how much a scan could see, and cost nothing. */
interface Context {
  readonly id: string;
  readonly message: string;
  readonly fix: string;
  readonly where?: Where;
}

const plural = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function contexts(evidence: Evidence): Context[] {
  const { facts } = evidence;
  const found: Context[] = [];
  const add = (id: string, message: string, fix: string, where?: Where): void => {
    found.push(where ? { id, message, fix, where } : { id, message, fix });
  };
  const [unreadable] = facts.unreadable;
  if (unreadable) {
    const count = plural(facts.unreadable.length, 'script is', 'scripts are');
    add(
      'scan_js_unparsable',
      `${count} no valid JavaScript and could not be read.`,
      'Look for template tags or entities left in the script.',
      unreadable,
    );
  }
  if (facts.truncated)
    add(
      'scan_truncated',
      'The page is larger or nested deeper than the scan reads; the rest was not seen.',
      'Scan a smaller page of the same template.',
    );
  if (facts.unfetched.length > 0) {
    const count = plural(facts.unfetched.length, 'external script was', 'external scripts were');
    add(
      'scan_fetch_partial',
      `${count} not read, so tags inside were not seen.`,
      'Scan again when the scripts can be fetched.',
    );
  }
  const { shopify } = facts;
  if (!shopify.detected)
    add(
      'shopify_not_detected',
      'This does not look like a Shopify storefront; rules about Shopify may not apply.',
      'Check the address.',
    );
  if (shopify.kind === 'headless')
    add(
      'shopify_headless',
      'This is a headless storefront: web pixels do not run here by themselves, tags belong to the code.',
      'Keep the tags in the code and gate them by consent.',
    );
  if (facts.password)
    add(
      'shopify_password_page',
      'The store answered with its password page; its tags are those of another layout.',
      'Open the store, or scan with access.',
    );
  if (facts.preview)
    add(
      'shopify_preview_theme',
      'This is a theme preview or an unpublished theme, not what customers see.',
      'Scan the published theme.',
    );
  if (shopify.kind === 'liquid' && facts.webPixels === 'missing') {
    add(
      'web_pixels_config_absent',
      'The page holds no list of web pixels, so app and custom pixels were not seen.',
      'The page may be cached or made for robots; scan again from a browser.',
    );
  }
  if (hasContainer(evidence))
    add(
      'gtm_contents_unseen',
      'What a Tag Manager container loads cannot be seen from the page.',
      'Review the container in Tag Manager.',
    );
  return found;
}

/** The context findings of a scan. */
export function contextFindings(evidence: Evidence): Finding[] {
  const page: Where = { source: 'page', line: 1, column: 1, url: evidence.facts.url };
  return contexts(evidence).map(({ id, message, fix, where }) => ({
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
    fix,
    docs_url: docsUrl('README'),
    since: null,
    escalates_on: null,
    mitigated: false,
  }));
}
