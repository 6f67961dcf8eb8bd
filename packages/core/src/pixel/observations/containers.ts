import { isContainerSource } from '../container/config-literal.ts';
import { readContainer } from '../container/read-container.ts';
import { LineIndex } from '../html/line-index.ts';
import { type PageElement, readFragment } from '../html/page.ts';
import { reachability } from '../html/reachability.ts';
import { looseUrl } from '../html/url.ts';
import type { Capture } from '../model/capture.ts';
import type { Container, ContainerTag, ContainerTrigger } from '../model/container.ts';
import { type EventParameters, MAX_PARAMETER_TEXT, type ParameterValue } from '../model/event-parameters.ts';
import type { Confidence } from '../model/execution.ts';
import type { AddObservation, ObservationDetails } from '../model/observation.ts';
import { UNRESOLVED } from '../model/unresolved.ts';
import { recognizeUrl } from '../vendors/known-urls.ts';
import { type TagRun, tagRuns } from './container-runs.ts';
import type { PageScript } from './page-scripts.ts';

/** A tag in a captured container. A custom HTML tag includes its code. */
interface CapturedTag {
  readonly tag: ContainerTag;
  readonly run: TagRun;
  /** Location, such as `container GTM-ABC1234, tag 3 (Custom HTML)`. */
  readonly label: string;
  /** Elements in a custom HTML tag. Browsers that run the tag ignore `<noscript>` elements. */
  readonly elements: readonly PageElement[];
  readonly scripts: readonly PageScript[];
}

/** A captured `gtm.js` or `gtag/js` file. `unreadable` is the reason the file can't be read, or `null` if it can be. */
export interface CapturedContainer {
  readonly url: string;
  readonly host: string;
  readonly id: string | null;
  readonly library: 'gtm' | 'gtag';
  readonly unreadable: string | null;
  readonly contents: Container | null;
  /** The container's tags in execution order. */
  readonly tags: readonly CapturedTag[];
}

/** Maximum number of containers on a page. Real pages have at most a dozen. */
const MAX_CONTAINERS = 20;

/** Reads the containers in a capture. */
export function capturedContainers(capture: Capture): CapturedContainer[] {
  const found = new Map<string, CapturedContainer>();
  for (const { url, status, body } of capture.scripts) {
    if (found.size >= MAX_CONTAINERS) break;
    if (status >= 400 || body === '') continue;
    const { host, params } = looseUrl(url);
    const known = recognizeUrl(looseUrl(url));
    const library = known?.kind === 'loader' ? known.library : null;
    const isGoogle = known?.kind === 'loader' && known.official && (library === 'gtm' || library === 'gtag');
    if (!isGoogle && !isContainerSource(body)) continue;
    const param = params.get('id') ?? '';
    const contents = readContainer(body, GOOGLE_ID.test(param) ? param : null);
    const unreadable = 'unreadable' in contents ? contents.unreadable : null;
    const readable = 'unreadable' in contents ? null : contents;
    const id = readable?.id ?? (GOOGLE_ID.test(param) ? param : null);
    const key = id ?? url;
    if (found.has(key)) continue;
    const isManager = id === null ? library !== 'gtag' : id.startsWith('GTM-');
    found.set(key, {
      url,
      host,
      id,
      library: isManager ? 'gtm' : 'gtag',
      unreadable,
      contents: readable,
      tags: readable ? capturedTags(readable, url, capture.finalUrl) : [],
    });
  }
  return [...found.values()];
}

const GOOGLE_ID = /^(?:G|GT|AW|DC|GTM)-[\w-]{4,20}$/;

function capturedTags(container: Container, url: string, pageUrl: string): CapturedTag[] {
  const { host, path } = looseUrl(pageUrl);
  const runs = tagRuns(container.tags, { url: pageUrl.replace(/#.*$/s, ''), host, path });
  const name = container.id ?? 'container';
  return container.tags
    .map((tag): CapturedTag => {
      const run = runs.get(tag.number)!;
      const label = `container ${name}, tag ${tag.number} (${tag.type})`;
      const elements =
        tag.html === null || run.state === 'inert' ? [] : readFragment(tag.html).filter(e => !e.inNoscript);
      return { tag, run, label, elements, scripts: scriptsOf(elements, { label, url, state: run.state }) };
    })
    .sort((a, b) => a.run.stage - b.run.stage || b.tag.priority - a.tag.priority || a.tag.number - b.tag.number);
}

function scriptsOf(
  elements: readonly PageElement[],
  { label, url, state }: Pick<PageScript, 'label' | 'url' | 'state'>,
): PageScript[] {
  return elements.flatMap((element): PageScript[] => {
    if (element.tag !== 'script' || element.attributes.has('src') || reachability(element) !== 'run') return [];
    const source = element.text;
    const lines = new LineIndex(source);
    const place = { label, url, base: 0, lines, position: 'body', channel: 'gtm' } as const;
    // The container fills in variables at runtime, so a syntax error here doesn't prove that the script is invalid.
    return [{ source, state, kind: 'script', presumedValid: true, ...place }];
  });
}

/** Returns a description of a trigger, such as `custom event add_to_cart if Page Path starts with /products`. */
export function triggerText({ kind, event, conditions }: ContainerTrigger): string {
  const name = kind.replaceAll('_', ' ') + (kind === 'custom_event' && event !== null ? ` ${event}` : '');
  const texts = conditions.map(({ text, negated }) => (negated ? `not (${text})` : text));
  return texts.length > 0 ? `${name} if ${texts.join(' and ')}` : name;
}

/** Records the initializations and events of a container tag that isn't custom HTML. */
export function readContainerTag(tag: ContainerTag, add: AddObservation): void {
  const confidence: Confidence = tag.template ? 'likely' : tag.ids.exact ? 'certain' : 'possible';
  const init = (
    api: Extract<ObservationDetails, { kind: 'init' }>['api'],
    pageView: boolean | null,
    ids: readonly (string | null)[] = tag.ids.values.length > 0 ? tag.ids.values : [null],
  ): void => {
    if (tag.vendor === null) return;
    for (const value of ids) {
      const id = { value, rounded: false };
      add({ kind: 'init', vendor: tag.vendor, api, id, pageView, pii: [], emitter: 'page' }, { confidence });
    }
  };
  const event = (method: string, name: string | null, target: string | null, parameters: EventParameters): void => {
    if (tag.vendor === null) return;
    const known = name?.includes('{{') ? null : name;
    add({ kind: 'event', vendor: tag.vendor, method, name: known, target, eventId: 'unknown', pii: [], parameters });
  };
  const onlyId = tag.ids.exact ? (tag.ids.values[0] ?? null) : null;
  switch (tag.code) {
    case '__googtag':
      init('gtag', tag.parameters.send_page_view !== 'false');
      add({ kind: 'event_defaults', vendor: 'google', parameters: tagParameters(tag) });
      return;
    case '__gaawc':
      init('gtag', tag.parameters.sendPageView !== 'false');
      return;
    case '__gaawe':
      event('event', tag.event, onlyId, tagParameters(tag));
      return;
    case '__awct': {
      const target = onlyId && `${onlyId}/${tag.parameters.conversionLabel ?? ''}`;
      event('event', 'conversion', target, tagParameters(tag));
      return;
    }
    case '__opt': {
      const common = { kind: 'loader', vendor: 'google', library: 'optimize', host: '', path: '' } as const;
      add({ ...common, id: onlyId, official: true, layer: null });
      return;
    }
    case '__baut':
    case '__bzi':
    case '__hjtc':
    case '__pntr':
    case '__twitter_website_tag':
      init('other', null);
      return;
  }
  if (tag.setsConsent)
    add(
      { kind: 'consent', vendor: 'google', command: 'default', settings: {}, resolved: false, regional: false },
      { confidence: 'likely' },
    );
  // The scan can recognize the IDs and the event in a template tag only by their parameter names.
  if (!tag.template || tag.vendor === null || tag.ids.values.length === 0) return;
  init(tag.vendor === 'meta' ? 'fbq' : tag.vendor === 'google' ? 'gtag' : 'other', null, tag.ids.values);
  if (tag.event === null) return;
  const isStandard = tag.vendor !== 'meta' || tag.parameters.eventName === 'standard';
  event(isStandard ? 'track' : 'trackCustom', tag.event, null, tagParameters(tag));
}

/** Event parameter names, by the setting name that Google Ads conversion tags use. */
const PARAMETER_NAMES: Readonly<Record<string, string>> = {
  conversionValue: 'value',
  currencyCode: 'currency',
  orderId: 'transaction_id',
};

/**
 * Returns the parameters that a tag sends with its event, as read from the tag's settings. The tag can get more
 * parameters from the data layer or from a variable.
 */
function tagParameters({ code, parameters }: ContainerTag): EventParameters {
  const values = new Map<string, ParameterValue>();
  for (const [setting, text] of Object.entries(parameters)) {
    const name = code === '__awct' && Object.hasOwn(PARAMETER_NAMES, setting) ? PARAMETER_NAMES[setting]! : setting;
    const partial = text.replace(/\{\{[^{}]*\}\}/g, UNRESOLVED);
    if (partial === '' || text.length > MAX_PARAMETER_TEXT) continue;
    const isKnown = partial === text;
    values.set(name, isKnown ? { kind: 'known', value: text, direct: true } : { kind: 'partial', text: partial });
  }
  const { sendEcommerceData, eventSettingsVariable, configSettingsVariable } = parameters;
  const isGa4 = code === '__googtag' || (code === '__gaawe' && sendEcommerceData === 'false');
  const isComplete = isGa4 && eventSettingsVariable === undefined && configSettingsVariable === undefined;
  return { values, complete: isComplete ? 'yes' : 'no' };
}
