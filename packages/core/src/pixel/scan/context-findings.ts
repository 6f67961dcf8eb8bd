import { docsUrl, type Finding } from '../model/finding.ts';
import { formatMessage, type MessageTexts, type MessageValues, type ReportedMessage, term } from '../model/message.ts';
import type { Where } from '../model/observation.ts';
import type { PageObservations } from '../model/page-observations.ts';
import { ofKind, unreadContainers } from '../model/queries.ts';

/** Metadata for a context finding, used to generate the finding's documentation page. */
export interface ContextMeta {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly fix: string;
  /** Messages by ID, in English. A context finding without messages uses its description. */
  readonly messages?: MessageTexts;
}

const CONTEXTS = {
  scan_js_unparsable: {
    title: "A script isn't valid JavaScript",
    what: "A script on the page isn't valid JavaScript, so browsers don't run it.",
    fix: 'Look for leftover template tags or HTML entities in the script.',
    messages: {
      one: "1 script isn't valid JavaScript, so browsers don't run it.",
      several: "{count} scripts aren't valid JavaScript, so browsers don't run them.",
    },
  },
  scan_truncated: {
    title: 'The page was only partially scanned',
    what: "The page exceeds the scan's limit on page size, nesting depth, or number of scripts, so the rest of the page wasn't scanned.",
    fix: 'Scan a smaller page that uses the same template.',
  },
  scan_fetch_partial: {
    title: "A script wasn't fetched",
    what: "The scan didn't fetch some of the page's external scripts, so any tags in those scripts are missing from the results.",
    fix: 'Scan again when the scripts are available.',
    messages: {
      one: "1 external script wasn't fetched, so the scan can't see any tags in it.",
      several: "{count} external scripts weren't fetched, so the scan can't see any tags in them.",
    },
  },
  shopify_not_detected: {
    title: "The page doesn't look like a Shopify storefront",
    what: 'Nothing on the page indicates a Shopify storefront. Rules for Shopify storefronts might not apply.',
    fix: 'Check the URL.',
    messages: {
      not_detected: "This page doesn't look like a Shopify storefront. Rules for Shopify storefronts might not apply.",
    },
  },
  shopify_headless: {
    title: 'Headless storefront',
    what: "Web pixels don't run automatically on a headless storefront, so tags belong in the storefront code.",
    fix: 'Keep the tags in the storefront code, and run them only with consent.',
    messages: {
      headless:
        "This is a headless storefront. Web pixels don't run automatically here, so tags belong in the storefront code.",
    },
  },
  shopify_password_page: {
    title: 'The store is password-protected',
    what: 'The store returned its password page, which has its own layout and tags.',
    fix: "Remove the store password, or scan a page that doesn't require it.",
  },
  shopify_preview_theme: {
    title: "The theme isn't published",
    what: 'The page is a preview or uses an unpublished theme, not the theme that customers see.',
    fix: 'Scan the published theme.',
  },
  web_pixels_config_absent: {
    title: 'The web pixel list is missing',
    what: "The page doesn't have a web pixel list, so the scan can't see app pixels or custom pixels.",
    fix: 'The scan might have received a cached page or a page served to bots. Instead, scan the page source as a browser receives it.',
  },
  gtm_contents_unseen: {
    title: "The contents of a Tag Manager container aren't visible",
    what: "The scan couldn't read a Tag Manager container that the page loads, so the results don't include the container's tags.",
    fix: 'Include the container in the scan, or review the container in Tag Manager.',
    messages: {
      one: "The scan couldn't read container {containers}, so it can't determine which tags the container loads.",
      several:
        "The scan couldn't read containers {containers}, so it can't determine which tags these containers load.",
    },
  },
} as const satisfies Record<string, Omit<ContextMeta, 'id'>>;

/**
 * Metadata for every context finding. Context findings describe the page or the scan's limitations, and no points
 * are deducted for them.
 */
export const contextMetas: readonly ContextMeta[] = Object.entries(CONTEXTS).map(([id, meta]) => ({ id, ...meta }));

type Contexts = typeof CONTEXTS;

/** The page-specific part of a context finding, with a message if the finding has its own messages. */
type Context = {
  [Id in keyof Contexts]: { readonly id: Id; readonly where?: Where } & (Contexts[Id] extends {
    readonly messages: infer Texts extends MessageTexts;
  }
    ? ReportedMessage<Texts>
    : { readonly message?: undefined; readonly values?: undefined });
}[keyof Contexts];

function contexts(page: PageObservations): Context[] {
  const { facts } = page;
  const { shopify, invalidScripts, unfetched } = facts;
  const found: Context[] = [];
  const [invalid] = invalidScripts;
  if (invalid) {
    const at = { id: 'scan_js_unparsable', where: invalid.error } as const;
    const count = invalidScripts.length;
    found.push(count === 1 ? { ...at, message: 'one' } : { ...at, message: 'several', values: { count } });
  }
  if (facts.truncated) found.push({ id: 'scan_truncated' });
  if (unfetched.length === 1) found.push({ id: 'scan_fetch_partial', message: 'one' });
  else if (unfetched.length > 1)
    found.push({ id: 'scan_fetch_partial', message: 'several', values: { count: unfetched.length } });
  if (!shopify.detected) found.push({ id: 'shopify_not_detected', message: 'not_detected' });
  if (shopify.kind === 'headless') found.push({ id: 'shopify_headless', message: 'headless' });
  if (facts.password) found.push({ id: 'shopify_password_page' });
  if (facts.preview) found.push({ id: 'shopify_preview_theme' });
  if (shopify.kind === 'liquid' && facts.webPixels === 'missing') found.push({ id: 'web_pixels_config_absent' });
  const unread = [...new Set(unreadContainers(page).map(o => o.id))];
  if (unread.length > 0) found.push(unseenContainers(page, unread));
  return found;
}

function unseenContainers(page: PageObservations, ids: readonly (string | null)[]): Context {
  const unreadable = ofKind(page, 'container').filter(c => c.unreadable !== null);
  const containers = ids.slice(0, 10).map(id => {
    const reason = unreadable.find(c => c.id === id)?.unreadable;
    const name = id ?? term('container_with_unknown_id');
    return reason ? term('unreadable_container', { id: name, reason }) : name;
  });
  return { id: 'gtm_contents_unseen', message: ids.length === 1 ? 'one' : 'several', values: { containers } };
}

/** Returns the context findings for a page. */
export function contextFindings(page: PageObservations): Finding[] {
  const wholePage: Where = { source: 'page', line: 1, column: 1, url: page.facts.url };
  return contexts(page).map(({ id, message, values, where }) => ({
    rule_id: id,
    severity: 'info',
    ...messageOf(CONTEXTS[id], message, values),
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

/** Returns a message in English, with its ID and values. The ID `what` identifies the description itself. */
const messageOf = (
  { what, messages }: Omit<ContextMeta, 'id'>,
  id = 'what',
  values?: MessageValues,
): Pick<Finding, 'message' | 'message_id' | 'message_values'> => ({
  message: formatMessage(messages?.[id] ?? what, values),
  message_id: id,
  ...(values && { message_values: values }),
});
