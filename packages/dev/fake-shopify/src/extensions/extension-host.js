// Browser script that runs an admin UI extension. It provides the API that Shopify documents for extensions.
import { definePolarisElements } from './polaris-elements.js';

const { handle, target, selected, locale, messages, appUrl, adminUrl } = JSON.parse(
  document.querySelector('#settings').textContent,
);

const waiting = new Map();
let requests = 0;
const notify = (name, ...args) => parent.postMessage({ extension: handle, name, args }, adminUrl);
const ask = (name, ...args) =>
  new Promise((resolve, reject) => {
    const id = ++requests;
    waiting.set(id, { resolve, reject });
    parent.postMessage({ extension: handle, name, args, id }, adminUrl);
  });
addEventListener('message', ({ data, source, origin }) => {
  if (source !== parent || origin !== new URL(adminUrl).origin || !waiting.has(data?.id)) return;
  const { resolve, reject } = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.error === undefined) resolve(data.value);
  else reject(new Error(data.error));
});

/** Returns a translated message. As in Shopify, `count` selects the plural form. */
function translate(key, options = {}) {
  let message = key.split('.').reduce((inner, name) => inner?.[name], messages);
  if (typeof message === 'object' && 'count' in options)
    message = message[new Intl.PluralRules(locale).select(options.count)] ?? message.other;
  if (typeof message !== 'string') {
    reportError(new Error(`The extension ${handle} doesn’t have the message ${key}.`));
    return key;
  }
  return message.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => {
    if (name in options) return options[name];
    reportError(new Error(`The message ${key} needs a value for ${placeholder}.`));
    return placeholder;
  });
}

const format = (Formatter, value, { inExtensionLocale, ...options } = {}) =>
  new Formatter(inExtensionLocale ? 'en' : locale, options).format(value);

globalThis.shopify = {
  extension: { target },
  data: { selected },
  auth: { idToken: () => ask('idToken') },
  i18n: {
    translate,
    formatNumber: (number, options) => format(Intl.NumberFormat, number, options),
    formatCurrency: (number, options) => format(Intl.NumberFormat, number, { style: 'currency', ...options }),
    formatDate: (date, options) => format(Intl.DateTimeFormat, date, options),
  },
  query: (query, options) => ask('query', query, options),
  // Only actions can close themselves, and only blocks can open an action.
  ...(target.includes('.action.') && { close: () => notify('close') }),
  ...(target.includes('.block.') && { navigation: { navigate: url => notify('navigate', String(url)) } }),
};

const browserFetch = fetch;
/** Sends a request. Relative URLs are resolved against the app’s URL, and only the app gets the session token. */
globalThis.fetch = async (input, init) => {
  const request = typeof input === 'string' ? new Request(new URL(input, appUrl), init) : new Request(input, init);
  if (new URL(request.url).origin === new URL(appUrl).origin && !request.headers.has('authorization'))
    request.headers.set('authorization', `Bearer ${await shopify.auth.idToken()}`);
  return await browserFetch(request);
};

definePolarisElements(notify);
// Report components that this package doesn’t implement, instead of showing only their text.
new MutationObserver(() => {
  for (const { localName } of document.querySelectorAll(':not(:defined)'))
    reportError(new Error(`The fake Shopify doesn’t have the component ${localName}.`));
  notify('height', document.documentElement.offsetHeight);
}).observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
new ResizeObserver(() => notify('height', document.documentElement.offsetHeight)).observe(document.documentElement);

const { default: renderExtension } = await import(`./${handle}/bundle.js`);
await renderExtension();
