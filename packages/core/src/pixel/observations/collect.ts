import { type PageElement, type PageModel, parsePage, readFragment } from '../html/page.ts';
import { reachability } from '../html/reachability.ts';
import { type LooseUrl, looseUrl } from '../html/url.ts';
import type { Capture, ScanOptions } from '../model/capture.ts';
import { leastConfident, type State } from '../model/execution.ts';
import type {
  AddObservation,
  Channel,
  ObservationContext,
  ObservationDetails,
  TagObservation,
} from '../model/observation.ts';
import type { PageObservations } from '../model/page-observations.ts';
import { groupBy, isPresent } from '../model/queries.ts';
import { UNRESOLVED } from '../model/unresolved.ts';
import type { Effect } from '../script/effect.ts';
import { readScripts, type ScriptReading } from '../script/read-scripts.ts';
import { exactText, texts } from '../script/value.ts';
import { beaconScripts, readCookieName, readShopifyCall } from '../shopify/internal-api.ts';
import { readThemeFiles } from '../shopify/theme-files.ts';
import { readTrekkie } from '../shopify/trekkie.ts';
import {
  extractList,
  looksLikeSecret,
  parseJson,
  readWebPixels,
  valueToJson,
  type WebPixelEntry,
} from '../shopify/web-pixels.ts';
import { readAdPixelCall } from '../vendors/ad-pixel-calls.ts';
import { ParameterReader } from '../vendors/event-parameters.ts';
import { type GoogleNames, readGoogle } from '../vendors/google.ts';
import { recognizeUrl } from '../vendors/known-urls.ts';
import { readMeta } from '../vendors/meta.ts';
import { companyOf } from '../vendors/third-parties.ts';
import { readAmp } from './amp.ts';
import { stateInside } from './container-runs.ts';
import { type CapturedContainer, capturedContainers, readContainerTag, triggerText } from './containers.ts';
import { readFacts } from './facts.ts';
import { hasUnreadScript, isOwnHost, type PageScript, pageScripts, sourceOf } from './page-scripts.ts';
import { unparsedTags } from './unparsed-tags.ts';

/** Collects a page's observations. The function is pure and runs in linear time. */
export function collect(capture: Capture, options: ScanOptions): PageObservations {
  const page = parsePage(capture.html);
  const containers = capturedContainers(capture);
  const scripts = [...pageScripts(capture, page), ...containers.flatMap(c => c.tags.flatMap(t => t.scripts))];
  const reading = readScripts(scripts);
  const collector = new Collector(capture, page, scripts, reading);
  collector.readElements(page.elements);
  collector.readEffects();
  for (const container of containers) collector.readContainer(container);
  collector.readUnparsedScripts();
  readThemeFiles(capture.scripts, collector.adder({ url: capture.finalUrl, offset: 0 }));
  const { observations } = collector;
  observations.sort((a, b) => a.order - b.order);
  return { observations, facts: readFacts({ capture, options, page, scripts, reading, ...collector }) };
}

/**
 * Maximum number of observations on a page, which limits the work that a malicious page can cause. Real pages have a
 * few hundred observations.
 */
const MAX_OBSERVATIONS = 20_000;

/**
 * Kinds of observations that show that a tag is on the page. In a container, their confidence depends on whether the
 * tag's trigger fires. Other observations, such as events, describe what happens when the trigger fires.
 */
const DEFINITIONS: ReadonlySet<TagObservation['kind']> = new Set(['init', 'loader', 'beacon', 'frame']);

class Collector {
  readonly observations: TagObservation[] = [];
  hasWebPixelList = false;
  metaServerEvents = false;
  truncated = false;
  readonly #capture: Capture;
  readonly #page: PageModel;
  readonly #scripts: readonly PageScript[];
  readonly #reading: ScriptReading;
  readonly #names: GoogleNames = {
    analytics: new Set(['ga', '__gaTracker']),
    layers: new Set(['dataLayer']),
    shopFunctions: new Set(),
  };
  readonly #parameters = new ParameterReader();
  /** IDs (as `vendor ID`) that code assigned to ad pixel variables but hasn't yet added to the vendor's list. */
  readonly #assignedIds = new Set<string>();
  readonly #beacons: ReadonlySet<number>;
  /** Whether code that the scan can't see, such as a container, might define functions. */
  readonly #unread: boolean;
  readonly #companies = new Set<string>();
  /**
   * The function that pushed `gtm.start`, and the data layer that received it. The next script that this function loads
   * is the container.
   */
  #container: { readonly inside: string; readonly layer: string } | null = null;
  #order = 0;

  constructor(capture: Capture, page: PageModel, scripts: readonly PageScript[], reading: ScriptReading) {
    this.#capture = capture;
    this.#page = page;
    this.#scripts = scripts;
    this.#reading = reading;
    this.#beacons = beaconScripts(reading.effects);
    const loadsContainer = reading.effects.some(e => e.op === 'load' && e.url.includes('/gtm.js'));
    this.#unread = loadsContainer || hasUnreadScript(capture, page);
  }

  readElements(elements: readonly PageElement[]): void {
    let script = 0;
    let previous: PageElement | undefined;
    for (const element of elements) {
      if (element.tag === 'script') script++;
      const source = element.inNoscript ? 'noscript' : element.tag === 'script' ? `script#${script}` : element.tag;
      this.#readElement(element, previous, this.#elementAdder(element, source));
      previous = element;
    }
  }

  #readElement(element: PageElement, previous: PageElement | undefined, add: AddObservation): void {
    const source = sourceOf(element);
    switch (element.tag) {
      case 'script': {
        const lazy = source?.lazy && reachability(element) === 'run';
        const state = element.inNoscript ? 'inert' : lazy ? 'gated' : reachability(element);
        if (previous?.tag === 'amp-analytics') readAmp(previous, element.text, add);
        else if (state === 'inert' && element.text) this.#readData(element.text, add);
        if (source && state !== 'inert')
          this.#readUrl(looseUrl(source.url), 'script', (s, overrides) => add(s, { state, ...overrides }));
        return;
      }
      case 'img':
      case 'amp-img':
      case 'amp-pixel':
        if (source) {
          const amp = element.tag.startsWith('amp');
          const placement = amp ? 'amp' : element.inNoscript ? 'noscript' : source.lazy ? 'lazy_image' : 'image';
          this.#readUrl(looseUrl(source.url), placement, add);
        }
        return;
      case 'iframe':
        if (source) this.#readUrl(looseUrl(source.url), element.inNoscript ? 'noscript' : 'frame', add);
        return;
      case 'amp-analytics':
        readAmp(element, '', add);
        return;
    }
  }

  #readUrl(
    url: LooseUrl,
    via: 'script' | 'image' | 'lazy_image' | 'noscript' | 'amp' | 'frame',
    add: AddObservation,
  ): void {
    const known = recognizeUrl(url);
    if (!known) {
      if (!isOwnHost(url.host, this.#capture.finalUrl)) this.#addCompany(url.host, add);
      return;
    }
    const overrides =
      via === 'noscript'
        ? ({ channel: 'noscript' } as const)
        : via === 'amp'
          ? ({ channel: 'amp', state: 'config' } as const)
          : undefined;
    if (known.kind === 'loader') {
      if (via === 'noscript' || via === 'frame') return;
      const { host, path } = url;
      if (
        host !== '' ||
        known.official ||
        known.library === 'gtm' ||
        known.library === 'gtag' ||
        known.library === 'fbds'
      ) {
        const copy = !known.official && known.library === 'fbds' ? ({ confidence: 'likely' } as const) : {};
        add(
          { ...known, host: shown(host) || looseUrl(this.#capture.finalUrl).host, path: shown(path) },
          { ...copy, ...overrides },
        );
      }
    } else if (known.kind === 'frame')
      add({ kind: 'frame', vendor: 'gtm', id: known.id, inNoscript: via === 'noscript' }, overrides);
    else {
      const placement = via === 'frame' ? 'image' : via;
      const params = Object.fromEntries(
        [...url.params].slice(0, 40).map(([k, v]) => [k, v.includes(UNRESOLVED) ? '' : v]),
      );
      add({ ...known, placement, params }, via === 'lazy_image' ? { ...overrides, confidence: 'possible' } : overrides);
    }
  }

  #addCompany(host: string, add: AddObservation): void {
    if (!host.includes('.') || host.includes(UNRESOLVED)) return;
    const found = companyOf(host);
    const key = found?.company ?? host;
    if (this.#companies.has(key)) return;
    this.#companies.add(key);
    add({ kind: 'third_party', host, company: found?.company ?? host, category: found?.category ?? 'unknown' });
  }

  /** Collects secrets from JSON data, which isn't code but can still expose secrets. */
  #readData(text: string, add: AddObservation): void {
    if (!text.includes('api_secret') && !text.includes('EAA')) return;
    const stack: unknown[] = [parseJson(text)];
    for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
      if (typeof value === 'string') addToken(value, add);
      if (typeof value !== 'object' || value === null) continue;
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'api_secret' && typeof inner === 'string') addSecret(inner, add);
        if (inner !== undefined && inner !== null) stack.push(inner);
      }
    }
  }

  /** Reads the effects of the page's own scripts. */
  readEffects(): void {
    for (const effect of this.#reading.effects) {
      const script = this.#scripts[effect.script]!;
      if (script.channel !== 'gtm') this.#readTags(effect, this.#effectAdder(effect, script));
    }
  }

  #readTags(effect: Effect, add: AddObservation): void {
    readMeta(effect, this.#parameters, add);
    readGoogle(effect, this.#names, this.#parameters, add);
    readAdPixelCall(effect, this.#assignedIds, add);
    readShopifyCall(effect, add);
    this.#readEffect(effect, add);
  }

  /** Reads a container's tags after the page's own code, because the library loads asynchronously. */
  readContainer(container: CapturedContainer): void {
    const { id, library, unreadable, contents, url } = container;
    const run = this.#containerRun(container);
    const where = { source: `container ${id ?? url}`, line: 1, column: 1, url };
    const shared = { ...run, where, channel: 'gtm', position: 'body', snippet: '' } as const;
    const { version = null, templates = [], serverUrls = [] } = contents ?? {};
    this.#push({ kind: 'container', library, id, version, unreadable, templates, serverUrls }, shared);
    const effects = groupBy(this.#reading.effects, effect => String(effect.script));
    const templateInits = new Set<string>();
    for (const { tag, run: own, label, elements, scripts: tagScripts } of container.tags) {
      const state = stateInside(run.state, own.state);
      const confidence = leastConfident(run.confidence, own.confidence);
      const context = {
        ...shared,
        state,
        where: { ...where, source: label },
        snippet: tag.triggers.length > 0 ? `trigger: ${tag.triggers.map(triggerText).join('; ')}` : '',
      };
      this.#push({ kind: 'container_tag', container: id, tag }, context);
      if (state === 'inert') continue;
      const inTag =
        (add: AddObservation, inner: State): AddObservation =>
        (details, overrides) => {
          const known = DEFINITIONS.has(details.kind) ? confidence : run.confidence;
          add(details, {
            ...overrides,
            state: stateInside(state, overrides?.state ?? inner),
            confidence: leastConfident(overrides?.confidence ?? 'certain', known),
          });
        };
      const add = inTag((details, overrides) => {
        // Some templates initialize each ID only once, no matter which of their tags runs first.
        const key = details.kind === 'init' && tag.template ? `${tag.code} ${details.id.value}` : null;
        if (key === null || !templateInits.has(key)) this.#push(details, { ...context, ...overrides });
        if (key !== null) templateInits.add(key);
      }, 'run');
      if (library === 'gtm') readContainerTag(tag, add);
      if (tag.imageUrl !== null)
        this.#readUrl(looseUrl(tag.imageUrl.replace(/\{\{[^{}]*\}\}/g, UNRESOLVED)), 'image', add);
      let previous: PageElement | undefined;
      for (const element of elements) {
        this.#readElement(element, previous, add);
        previous = element;
      }
      for (const script of tagScripts)
        for (const effect of effects.get(String(this.#scripts.indexOf(script))) ?? [])
          this.#readTags(effect, inTag(this.#effectAdder(effect, script), effect.state));
    }
  }

  /** Returns whether and when the page loads a container. */
  #containerRun({ id, host, library }: CapturedContainer): Pick<ObservationContext, 'state' | 'confidence'> {
    const loaders = this.observations.filter(o => o.kind === 'loader' && o.library === library && isPresent(o));
    const named = loaders.filter(o => o.kind === 'loader' && o.id === id && id !== null);
    const unnamed = loaders.filter(o => o.kind === 'loader' && (o.id === null || (id === null && o.host === host)));
    const [loader] = named.length > 0 ? named : unnamed;
    if (!loader) return { state: 'later', confidence: 'possible' };
    return { state: loader.state, confidence: named.length > 0 ? loader.confidence : 'possible' };
  }

  #readEffect(effect: Effect, add: AddObservation): void {
    switch (effect.op) {
      case 'call': {
        const first = effect.args[0];
        if (effect.path === 'trekkie.load') {
          const trekkie: AddObservation = (s, overrides) =>
            add(s, { state: 'config', channel: 'trekkie', ...overrides });
          this.metaServerEvents = readTrekkie(first, trekkie) || this.metaServerEvents;
        }
        if (effect.path.endsWith('.push') && first?.kind === 'object' && first.entries.has('gtm.start')) {
          this.#container = { inside: effect.inside.join(), layer: effect.path.slice(0, -5) };
        }
        return;
      }
      case 'load':
        this.#readLoad(effect, add);
        return;
      case 'request':
        this.#readUrl(looseUrl(effect.url), 'script', add);
        this.#readSecretUrl(effect.url, add);
        return;
      case 'write': {
        let previous: PageElement | undefined;
        for (const element of readFragment(effect.html)) {
          this.#readElement(element, previous, add);
          previous = element;
        }
        return;
      }
      case 'literal':
        readCookieName(effect, this.#beacons, add);
        if (effect.text.startsWith('EAA')) addToken(effect.text, add);
        else if (/access_token=EAA|api_secret=/.test(effect.text)) this.#readSecretUrl(effect.text, add);
        return;
      case 'data':
        this.#readDataKey(effect, add);
        return;
    }
  }

  #readLoad(effect: Extract<Effect, { op: 'load' }>, add: AddObservation): void {
    const url = looseUrl(effect.url);
    const starts =
      this.#container?.inside === effect.inside.join() && effect.inside.length > 0 ? this.#container : null;
    this.#readSecretUrl(effect.url, add);
    if (starts && effect.element !== 'img') {
      this.#container = null;
      const known = recognizeUrl(url);
      const id = url.params.get('id') ?? '';
      const official = known?.kind === 'loader' && known.official;
      const resolved = /^GTM-\w+$/.test(id) ? id : null;
      add({
        kind: 'loader',
        vendor: 'gtm',
        library: 'gtm',
        id: resolved,
        host: shown(url.host),
        path: shown(url.path),
        official,
        layer: starts.layer,
      });
      return;
    }
    this.#readUrl(url, 'script', add);
  }

  #readSecretUrl(url: string, add: AddObservation): void {
    const { params, path } = looseUrl(url);
    addToken(params.get('access_token') ?? '', add);
    const secret = params.get('api_secret') ?? '';
    if (path.endsWith('/mp/collect') || secret.length > 8) addSecret(secret, add, 4);
  }

  #readDataKey(effect: Extract<Effect, { op: 'data' }>, add: AddObservation): void {
    const script = this.#scripts[effect.script]!;
    const value = exactText(effect.value);
    if (effect.key === 'api_secret' || effect.key === 'apiSecret') addSecret(value ?? '', add);
    else if (effect.key === 'accessToken' || effect.key === 'access_token') addToken(value ?? '', add);
    else if (effect.key === 'facebookCapiEnabled') {
      const on = value === 'true' || (effect.value.kind === 'literal' && effect.value.value === true);
      this.metaServerEvents = this.metaServerEvents || on;
    } else if (effect.key === 'webPixelsConfigList') {
      const list =
        readWebPixels(parseJson(script.source.slice(effect.from, effect.to))) ??
        readWebPixels(valueToJson(effect.value));
      if (list) this.#addWebPixels(list, add);
    } else if (
      effect.key === 'urls' &&
      effect.inside.some(f => f.endsWith(':asyncLoad')) &&
      effect.value.kind === 'list'
    ) {
      this.#addScriptTags(effect.value.items.flatMap(texts), add);
    }
  }

  #addWebPixels(list: readonly WebPixelEntry[], add: AddObservation): void {
    this.hasWebPixelList = true;
    for (const { id: entry, apiSecret, ...rest } of list) {
      const channel: Channel = rest.type === 'CUSTOM' ? 'custom_pixel' : 'app_pixel';
      const overrides = { state: 'config', channel } as const;
      add({ kind: 'web_pixel', entry, ...rest }, overrides);
      if (apiSecret) add({ kind: 'secret', secret: 'ga4_api_secret', shown: shorten(apiSecret) }, overrides);
      for (const value of rest.ids) {
        const id = { value, rounded: false };
        add(
          { kind: 'init', vendor: rest.vendor, api: 'web_pixel', id, pageView: true, pii: [], emitter: 'shopify' },
          overrides,
        );
      }
    }
  }

  /** Collects the ScriptTags in Shopify's list, in which each URL has the shop's domain as a query parameter. */
  #addScriptTags(urls: readonly string[], add: AddObservation): void {
    if (!urls.some(u => /[?&]shop=[^&]{1,100}\.myshopify\.com/.test(u))) return;
    for (const url of urls) {
      const { host } = looseUrl(url);
      const company = companyOf(host)?.company ?? null;
      add({ kind: 'script_tag', host, company }, { state: 'config', channel: 'script_tag' });
    }
  }

  /** Searches scripts that can't be parsed for the web pixel list and for tags that never run. */
  readUnparsedScripts(): void {
    this.#scripts.forEach((script, i) => {
      const { outcome, problem } = this.#reading.outcomes[i]!;
      if (outcome !== 'unreadable') return;
      if (script.source.includes('webPixelsConfigList')) {
        const list = readWebPixels(parseJson(extractList(script.source, 'webPixelsConfigList') ?? ''));
        if (list) this.#addWebPixels(list, this.#scriptAdder(script, 0, {}));
      }
      if (!problem || script.presumedValid) return;
      const confidence = problem.cdata ? 'possible' : 'certain';
      for (const { offset, details } of unparsedTags(script.source))
        this.#scriptAdder(script, offset, { state: 'never_runs', confidence })(details);
    });
  }

  #elementAdder(element: PageElement, source: string): AddObservation {
    const { line, column } = this.#page.lines.at(element.offset);
    const context = {
      where: { source, line, column, url: this.#capture.finalUrl },
      position: element.inHead ? 'head' : 'body',
      state: 'run',
      confidence: 'certain',
      snippet: this.#capture.html.slice(element.offset, element.offset + 160),
    } as const;
    return (observation, overrides) => this.#push(observation, { ...context, ...overrides });
  }

  #effectAdder(effect: Effect, script: PageScript): AddObservation {
    const isLost = effect.op === 'call' && this.#reading.lostFunctions.has(effect.path.split('.', 1)[0]!);
    if (!isLost || effect.state === 'never_runs') return this.#scriptAdder(script, effect.offset, effect);
    // A script that wasn't fetched might define the function.
    const confidence = this.#unread ? 'possible' : 'certain';
    return this.#scriptAdder(script, effect.offset, { ...effect, state: 'never_runs', confidence });
  }

  #scriptAdder(script: PageScript, offset: number, effect: Partial<Effect>): AddObservation {
    return (observation, overrides) => {
      const { line, column } = script.lines.at(script.base + (script.kind === 'handler' ? 0 : offset));
      this.#push(observation, {
        where: { source: script.label, line, column, url: script.url },
        position: script.position,
        state: effect.state ?? script.state,
        confidence: leastConfident(effect.confidence ?? 'certain', overrides?.confidence ?? 'certain'),
        channel: overrides?.channel ?? script.channel,
        branches: effect.branches ?? [],
        guards: effect.guards ?? [],
        snippet: script.source.slice(offset, offset + 160),
        ...(overrides?.state ? { state: overrides.state } : {}),
      });
    };
  }

  adder(location: { readonly url: string; readonly offset: number }): AddObservation {
    const where = { source: 'theme files', line: 1, column: 1, url: location.url };
    return (observation, overrides) =>
      this.#push(observation, {
        where,
        position: 'body',
        state: 'run',
        confidence: 'certain',
        snippet: '',
        ...overrides,
      });
  }

  #push(
    details: ObservationDetails,
    context: Omit<ObservationContext, 'order' | 'branches' | 'guards' | 'channel'> & Partial<ObservationContext>,
  ): void {
    if (this.observations.length >= MAX_OBSERVATIONS) {
      this.truncated = true;
      return;
    }
    const order = this.#order++;
    this.observations.push({
      branches: [],
      guards: [],
      channel: 'theme',
      ...context,
      order,
      ...details,
    } as TagObservation);
  }
}

/** Replaces unresolved parts of a URL with asterisks. */
const shown = (text: string): string => text.replaceAll(UNRESOLVED, '*').slice(0, 200);

const shorten = (secret: string): string => `${secret.slice(0, 6)}…`;

function addToken(text: string, add: AddObservation): void {
  if (/^EAA[A-Za-z0-9]{57,}$/.test(text)) add({ kind: 'secret', secret: 'meta_token', shown: shorten(text) });
}

function addSecret(text: string, add: AddObservation, least = 16): void {
  const real =
    least < 16
      ? /^[\w-]{4,}$/.test(text) && !/^(?:\d{1,3}|x+|secret|your.*|api_secret|<.*>)$/i.test(text)
      : looksLikeSecret(text);
  if (real)
    add({ kind: 'secret', secret: 'ga4_api_secret', shown: text.length > 12 ? shorten(text) : `${text.slice(0, 2)}…` });
}
