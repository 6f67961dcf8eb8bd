import type { Capture, ScanOptions } from '../capture.ts';
import { type PageElement, type PageModel, readFragment, readPage } from '../html/page.ts';
import { reachability } from '../html/reachability.ts';
import { HOLE, type LooseUrl, looseUrl } from '../html/url.ts';
import type { Confidence, Effect } from '../script/effect.ts';
import { readScripts, type ScriptReading } from '../script/read.ts';
import { exactText, texts } from '../script/value.ts';
import { beaconScripts, readShopifyCall, readShopifyMention } from '../shopify/internal-api.ts';
import { readThemeFiles } from '../shopify/theme-files.ts';
import { readTrekkie } from '../shopify/trekkie.ts';
import { cutList, looksSecret, parseJson, readWebPixels, toJson, type WebPixelEntry } from '../shopify/web-pixels.ts';
import { recognise } from '../vendors/addresses.ts';
import { type GoogleNames, readGoogle } from '../vendors/google.ts';
import { readMeta } from '../vendors/meta.ts';
import { readOthers } from '../vendors/others.ts';
import type { Add, Bare } from '../vendors/report.ts';
import { companyOf } from '../vendors/third-parties.ts';
import { readAmp } from './amp.ts';
import { readFacts } from './facts.ts';
import type { Channel, Evidence, Seen, Sighting } from './sighting.ts';
import { isOwnHost, type PageScript, pageScripts, sourceOf } from './sources.ts';

/** Reads a capture into everything the rules may look at. Pure, and linear in the size of the page. */
export function collect(capture: Capture, options: ScanOptions): Evidence {
  const page = readPage(capture.html);
  const scripts = pageScripts(capture, page);
  const reading = readScripts(scripts);
  const collector = new Collector(capture, page, scripts, reading);
  collector.readElements(page.elements);
  collector.readEffects();
  collector.readUnreadLists();
  readThemeFiles(capture.scripts, collector.adder({ url: capture.finalUrl, offset: 0 }));
  const { sightings } = collector;
  sightings.sort((a, b) => a.order - b.order);
  return { sightings, facts: readFacts({ capture, options, page, scripts, reading, ...collector }) };
}

/** A real page has a few hundred. */
const MAX_SIGHTINGS = 20_000;

class Collector {
  readonly sightings: Sighting[] = [];
  webPixelsSeen = false;
  metaServerEvents = false;
  cut = false;
  readonly #capture: Capture;
  readonly #page: PageModel;
  readonly #scripts: readonly PageScript[];
  readonly #reading: ScriptReading;
  readonly #names: GoogleNames = {
    analytics: new Set(['ga', '__gaTracker']),
    layers: new Set(['dataLayer']),
    own: new Set(),
  };
  readonly #beacons: ReadonlySet<number>;
  readonly #companies = new Set<string>();
  /** Function in which a container's start was pushed, so that the address it loads next is the container's. */
  #container: { readonly inside: string; readonly layer: string } | null = null;
  #order = 0;

  constructor(capture: Capture, page: PageModel, scripts: readonly PageScript[], reading: ScriptReading) {
    this.#capture = capture;
    this.#page = page;
    this.#scripts = scripts;
    this.#reading = reading;
    this.#beacons = beaconScripts(reading.effects);
  }

  readElements(elements: readonly PageElement[]): void {
    let script = 0;
    let before: PageElement | undefined;
    for (const element of elements) {
      if (element.tag === 'script') script++;
      const source = element.inNoscript ? 'noscript' : element.tag === 'script' ? `script#${script}` : element.tag;
      this.#readElement(element, before, this.#elementAdder(element, source));
      before = element;
    }
  }

  #readElement(element: PageElement, before: PageElement | undefined, add: Add): void {
    const source = sourceOf(element);
    switch (element.tag) {
      case 'script': {
        const lazy = source?.lazy && reachability(element) === 'run';
        const state = element.inNoscript ? 'inert' : lazy ? 'gated' : reachability(element);
        if (before?.tag === 'amp-analytics') readAmp(before, element.text, add);
        else if (state === 'inert' && element.text) this.#readData(element.text, add);
        if (source && state !== 'inert')
          this.#readAddress(looseUrl(source.address), 'script', (s, but) => add(s, { state, ...but }));
        return;
      }
      case 'img':
      case 'amp-img':
      case 'amp-pixel':
        if (source) {
          const amp = element.tag.startsWith('amp');
          const placement = amp ? 'amp' : element.inNoscript ? 'noscript' : source.lazy ? 'lazy_image' : 'image';
          this.#readAddress(looseUrl(source.address), placement, add);
        }
        return;
      case 'iframe':
        if (source) this.#readAddress(looseUrl(source.address), element.inNoscript ? 'noscript' : 'frame', add);
        return;
      case 'amp-analytics':
        readAmp(element, '', add);
        return;
    }
  }

  #readAddress(url: LooseUrl, via: 'script' | 'image' | 'lazy_image' | 'noscript' | 'amp' | 'frame', add: Add): void {
    const known = recognise(url);
    if (!known) {
      if (!isOwnHost(url.host, this.#capture.finalUrl)) this.#addCompany(url.host, add);
      return;
    }
    const but =
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
          { ...copy, ...but },
        );
      }
    } else if (known.kind === 'frame')
      add({ kind: 'frame', vendor: 'gtm', id: known.id, inNoscript: via === 'noscript' }, but);
    else {
      const placement = via === 'frame' ? 'image' : via;
      const params = Object.fromEntries([...url.params].slice(0, 40).map(([k, v]) => [k, v.includes(HOLE) ? '' : v]));
      add({ ...known, placement, params }, via === 'lazy_image' ? { ...but, confidence: 'possible' } : but);
    }
  }

  #addCompany(host: string, add: Add): void {
    if (!host.includes('.') || host.includes(HOLE)) return;
    const found = companyOf(host);
    const key = found?.company ?? host;
    if (this.#companies.has(key)) return;
    this.#companies.add(key);
    add({ kind: 'third_party', host, company: found?.company ?? host, category: found?.category ?? 'unknown' });
  }

  /** JSON that is served but not run can still give a secret away. */
  #readData(text: string, add: Add): void {
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

  readEffects(): void {
    for (const effect of this.#reading.effects) {
      const script = this.#scripts[effect.script]!;
      const add = this.#effectAdder(effect, script);
      readMeta(effect, add);
      readGoogle(effect, this.#names, add);
      readOthers(effect, add);
      readShopifyCall(effect, add);
      this.#readEffect(effect, add);
    }
  }

  #readEffect(effect: Effect, add: Add): void {
    switch (effect.op) {
      case 'call': {
        const first = effect.args[0];
        if (effect.path === 'trekkie.load') {
          const trekkie: Add = (s, but) => add(s, { state: 'config', channel: 'trekkie', ...but });
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
        this.#readAddress(looseUrl(effect.url), 'script', add);
        this.#readSecretAddress(effect.url, add);
        return;
      case 'write': {
        let before: PageElement | undefined;
        for (const element of readFragment(effect.html)) {
          this.#readElement(element, before, add);
          before = element;
        }
        return;
      }
      case 'literal':
        readShopifyMention(effect, this.#beacons, add);
        if (effect.text.startsWith('EAA')) addToken(effect.text, add);
        else if (/access_token=EAA|api_secret=/.test(effect.text)) this.#readSecretAddress(effect.text, add);
        return;
      case 'data':
        this.#readDataKey(effect, add);
        return;
    }
  }

  #readLoad(effect: Extract<Effect, { op: 'load' }>, add: Add): void {
    const url = looseUrl(effect.url);
    const starts =
      this.#container?.inside === effect.inside.join() && effect.inside.length > 0 ? this.#container : null;
    this.#readSecretAddress(effect.url, add);
    if (starts && effect.element !== 'img') {
      this.#container = null;
      const known = recognise(url);
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
    this.#readAddress(url, 'script', add);
  }

  #readSecretAddress(address: string, add: Add): void {
    const { params, path } = looseUrl(address);
    addToken(params.get('access_token') ?? '', add);
    const secret = params.get('api_secret') ?? '';
    if (path.endsWith('/mp/collect') || secret.length > 8) addSecret(secret, add, 4);
  }

  #readDataKey(effect: Extract<Effect, { op: 'data' }>, add: Add): void {
    const script = this.#scripts[effect.script]!;
    const value = exactText(effect.value);
    if (effect.key === 'api_secret' || effect.key === 'apiSecret') addSecret(value ?? '', add);
    else if (effect.key === 'accessToken' || effect.key === 'access_token') addToken(value ?? '', add);
    else if (effect.key === 'facebookCapiEnabled') {
      const on = value === 'true' || (effect.value.kind === 'literal' && effect.value.value === true);
      this.metaServerEvents = this.metaServerEvents || on;
    } else if (effect.key === 'webPixelsConfigList') {
      const list =
        readWebPixels(parseJson(script.source.slice(effect.from, effect.to))) ?? readWebPixels(toJson(effect.value));
      if (list) this.#addWebPixels(list, add);
    } else if (
      effect.key === 'urls' &&
      effect.inside.some(f => f.endsWith(':asyncLoad')) &&
      effect.value.kind === 'list'
    ) {
      this.#addScriptTags(effect.value.items.flatMap(texts), add);
    }
  }

  #addWebPixels(list: readonly WebPixelEntry[], add: Add): void {
    this.webPixelsSeen = true;
    for (const { id: entry, apiSecret, ...rest } of list) {
      const channel: Channel = rest.type === 'CUSTOM' ? 'custom_pixel' : 'app_pixel';
      const but = { state: 'config', channel } as const;
      add({ kind: 'web_pixel', entry, ...rest }, but);
      if (apiSecret) add({ kind: 'secret', secret: 'ga4_api_secret', shown: shorten(apiSecret) }, but);
      for (const value of rest.ids) {
        const id = { value, rounded: false };
        add(
          { kind: 'init', vendor: rest.vendor, api: 'web_pixel', id, pageView: true, pii: [], emitter: 'shopify' },
          but,
        );
      }
    }
  }

  /** The platform's list of injected scripts: every address carries the shop's own name. */
  #addScriptTags(urls: readonly string[], add: Add): void {
    if (!urls.some(u => /[?&]shop=[^&]{1,100}\.myshopify\.com/.test(u))) return;
    for (const url of urls) {
      const { host } = looseUrl(url);
      const company = companyOf(host)?.company ?? null;
      add({ kind: 'script_tag', host, company }, { state: 'config', channel: 'script_tag' });
    }
  }

  /** A list in a script that could not be read is still data, and can be cut out. */
  readUnreadLists(): void {
    this.#scripts.forEach((script, i) => {
      if (this.#reading.outcomes[i] !== 'unreadable' || !script.source.includes('webPixelsConfigList')) return;
      const list = readWebPixels(parseJson(cutList(script.source, 'webPixelsConfigList') ?? ''));
      if (list) this.#addWebPixels(list, this.#placeAdder(script, 0, {}));
    });
  }

  #elementAdder(element: PageElement, source: string): Add {
    const { line, column } = this.#page.lines.at(element.offset);
    const seen = {
      where: { source, line, column, url: this.#capture.finalUrl },
      position: element.inHead ? 'head' : 'body',
      state: 'run',
      confidence: 'certain',
      snippet: this.#capture.html.slice(element.offset, element.offset + 160),
    } as const;
    // Elements stand before every script effect of the same place; their own order follows the document.
    return (sighting, but) => this.#push(sighting, { ...seen, ...but });
  }

  #effectAdder(effect: Effect, script: PageScript): Add {
    return this.#placeAdder(script, effect.offset, effect);
  }

  #placeAdder(script: PageScript, offset: number, effect: Partial<Effect>): Add {
    return (sighting, but) => {
      const { line, column } = script.lines.at(script.base + (script.kind === 'handler' ? 0 : offset));
      this.#push(sighting, {
        where: { source: script.label, line, column, url: script.url },
        position: script.position,
        state: effect.state ?? script.state,
        confidence: weaker(effect.confidence ?? 'certain', but?.confidence),
        channel: but?.channel ?? script.channel,
        arms: effect.arms ?? [],
        guards: effect.guards ?? [],
        snippet: script.source.slice(offset, offset + 160),
        ...(but?.state ? { state: but.state } : {}),
      });
    };
  }

  adder(place: { readonly url: string; readonly offset: number }): Add {
    const where = { source: 'theme files', line: 1, column: 1, url: place.url };
    return (sighting, but) =>
      this.#push(sighting, { where, position: 'body', state: 'run', confidence: 'certain', snippet: '', ...but });
  }

  #push(sighting: Bare, seen: Omit<Seen, 'order' | 'arms' | 'guards' | 'channel'> & Partial<Seen>): void {
    if (this.sightings.length >= MAX_SIGHTINGS) {
      this.cut = true;
      return;
    }
    const order = this.#order++;
    this.sightings.push({ arms: [], guards: [], channel: 'theme', ...seen, order, ...sighting } as Sighting);
  }
}

const RANK: Readonly<Record<Confidence, number>> = { certain: 2, likely: 1, possible: 0 };
const weaker = (a: Confidence, b: Confidence | undefined): Confidence => (b !== undefined && RANK[b] < RANK[a] ? b : a);

/** The part of an address that is not known is shown as an asterisk. */
const shown = (text: string): string => text.replaceAll(HOLE, '*').slice(0, 200);

const shorten = (secret: string): string => `${secret.slice(0, 6)}…`;

function addToken(text: string, add: Add): void {
  if (/^EAA[A-Za-z0-9]{57,}$/.test(text)) add({ kind: 'secret', secret: 'meta_token', shown: shorten(text) });
}

function addSecret(text: string, add: Add, least = 16): void {
  const real =
    least < 16
      ? /^[\w-]{4,}$/.test(text) && !/^(?:\d{1,3}|x+|secret|your.*|api_secret|<.*>)$/i.test(text)
      : looksSecret(text);
  if (real)
    add({ kind: 'secret', secret: 'ga4_api_secret', shown: text.length > 12 ? shorten(text) : `${text.slice(0, 2)}…` });
}
