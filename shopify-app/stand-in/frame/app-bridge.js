// Stands for Shopify's App Bridge, which only Shopify's CDN serves. It does what the app uses of it, and no more.
(() => {
  if (window.shopify) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('ui-nav-menu,ui-save-bar{display:none}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const params = new URLSearchParams(location.search);
  const keep = name => {
    const value = params.get(name);
    if (value) sessionStorage.setItem(`stand-in:${name}`, value);
    return value ?? sessionStorage.getItem(`stand-in:${name}`);
  };
  const apiKey =
    document.querySelector('meta[name="shopify-api-key"]')?.content ?? document.currentScript?.dataset.apiKey;
  const shop = keep('shop');
  const host = keep('host');
  const locale = keep('locale') ?? 'en';

  const tell = (name, ...args) => parent.postMessage({ standIn: 'tell', name, args }, '*');
  const waiting = new Map();
  let asked = 0;
  const ask = (name, ...args) =>
    new Promise(resolve => {
      const id = ++asked;
      waiting.set(id, resolve);
      parent.postMessage({ standIn: 'ask', id, name, args }, '*');
    });
  addEventListener('message', ({ data }) => {
    if (data?.standIn === 'answer') {
      waiting.get(data.id)?.(data.value);
      waiting.delete(data.id);
    }
    // The entries of the sidebar are links of the app: its router is to handle them.
    if (data?.standIn === 'navigate') document.querySelector(`ui-nav-menu a[href="${CSS.escape(data.href)}"]`)?.click();
  });
  const idToken = () => ask('idToken', shop);

  const plain = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== location.origin || request.headers.has('authorization')) {
      return plain(input, init);
    }
    const send = async () => {
      const copy = request.clone();
      const headers = new Headers(copy.headers);
      headers.set('authorization', `Bearer ${await idToken()}`);
      headers.set('x-requested-with', 'XMLHttpRequest');
      return plain(new Request(copy, { headers }));
    };
    const response = await send();
    return response.status === 401 && response.headers.has('x-shopify-retry-invalid-session-request')
      ? send()
      : response;
  };

  const menu = () => {
    const links = [...document.querySelectorAll('ui-nav-menu a')];
    tell(
      'menu',
      links.map(link => ({ href: link.getAttribute('href'), text: link.textContent, home: link.rel === 'home' })),
      location.pathname,
    );
  };
  new MutationObserver(menu).observe(document, { childList: true, subtree: true });

  addEventListener(
    'click',
    event => {
      const link =
        event.target instanceof Element &&
        event.target.closest('a[href^="https://admin.shopify.com"], a[href^="shopify://"]');
      if (!link) return;
      event.preventDefault();
      tell('open', link.href);
    },
    true,
  );

  window.shopify = {
    config: { apiKey, shop, host, locale },
    ready: Promise.resolve(),
    environment: { embedded: top !== self, mobile: false, pos: false },
    idToken,
    toast: {
      show(message, options) {
        tell('toast', message, options ?? null);
        return message;
      },
      hide() {},
    },
    loading: on => tell('loading', on),
    saveBar: {
      show: async id => tell('saveBar.show', id),
      hide: async id => tell('saveBar.hide', id),
      leaveConfirmation: async () => {},
    },
    modal: {
      show: async id => tell('modal.show', id),
      hide: async id => tell('modal.hide', id),
      toggle: async id => tell('modal.toggle', id),
    },
    scopes: {
      query: () => ask('scopes', shop),
      request: scopes => ask('requestScopes', shop, scopes),
      revoke: async () => ({ detail: 'not here' }),
    },
    resourcePicker: async () => undefined,
    user: async () => ({ accountAccess: 'full' }),
    reviews: { request: async () => ({ success: false, code: 'stand-in' }) },
    webVitals: { onReport: async () => {} },
  };

  // The page that Shopify's package sends when a document comes without a token: fetch one, then go on.
  const reload = params.get('shopify-reload');
  if (reload) {
    void idToken().then(token => {
      const next = new URL(reload);
      next.searchParams.set('id_token', token);
      location.replace(next);
    });
  }
})();
