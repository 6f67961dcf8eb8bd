import type { PageElement } from '../html/page.ts';
import { looseUrl } from '../html/url.ts';
import type { AddObservation } from '../model/observation.ts';
import { parseJson } from '../shopify/web-pixels.ts';
import { recognizeUrl } from '../vendors/known-urls.ts';

/**
 * Collects the tags in one `<amp-analytics>` element. Reads the JSON configuration in `text`, or the element's
 * attributes if `text` is empty. AMP pages can't run custom scripts, so they can load tags only through this element.
 */
export function readAmp(element: PageElement, text: string, add: AddObservation): void {
  const overrides = { state: 'config', channel: 'amp' } as const;
  const init = (value: string): void =>
    add(
      {
        kind: 'init',
        vendor: 'google',
        api: 'amp',
        id: { value, rounded: false },
        pageView: true,
        pii: [],
        emitter: 'page',
      },
      overrides,
    );
  if (!text) {
    const url = looseUrl(element.attributes.get('config') ?? '');
    const id = url.params.get('id');
    if (url.host === 'www.googletagmanager.com' && id?.startsWith('GTM-')) {
      add(
        {
          kind: 'loader',
          vendor: 'gtm',
          library: 'gtm',
          id,
          host: url.host,
          path: url.path,
          official: true,
          layer: null,
        },
        overrides,
      );
    }
    return;
  }
  const type = element.attributes.get('type') ?? '';
  const json = parseJson(text);
  const vars = isObject(json) && isObject(json.vars) ? json.vars : {};
  if (type === 'googleanalytics' && typeof vars.account === 'string') init(vars.account);
  if (type === 'gtag' && typeof vars.gtag_id === 'string') init(vars.gtag_id);
  if (type === 'gtag' && isObject(vars.config))
    for (const id of Object.keys(vars.config)) if (id !== vars.gtag_id) init(id);
  if (isObject(json) && isObject(json.requests)) {
    for (const request of Object.values(json.requests)) {
      const url = looseUrl(typeof request === 'string' ? request : '');
      const known = recognizeUrl(url);
      if (known?.kind === 'beacon')
        add({ ...known, placement: 'amp', params: Object.fromEntries(url.params) }, overrides);
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
