// Fake App Bridge script, needed because the real script is available only from Shopify's CDN. Implements the messages
// between the app and the admin, and the custom elements that the admin handles. Supports only the features that the
// app uses.
(() => {
  if (window.shopify) return;

  // Use an adopted stylesheet, because an extra element would break the hydration of an app that renders the whole
  // document.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`ui-nav-menu,s-app-nav,ui-save-bar,ui-title-bar,ui-modal{display:none}
    dialog.fake-shopify{border:0;border-radius:12px;padding:0;width:min(620px,92vw);max-height:86vh;box-shadow:0 8px 40px #0006}
    dialog.fake-shopify::backdrop{background:#0006}dialog.fake-shopify>h2{margin:0;padding:14px 16px;background:#f3f3f3;font-size:15px}
    dialog.fake-shopify>footer{display:flex;justify-content:flex-end;gap:8px;padding:12px 16px}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const params = new URLSearchParams(location.search);
  const keep = name => {
    const value = params.get(name);
    if (value) sessionStorage.setItem(`fake-shopify:${name}`, value);
    return value ?? sessionStorage.getItem(`fake-shopify:${name}`);
  };
  const meta = document.querySelector('meta[name="shopify-api-key"]');
  const apiKey = meta?.content ?? document.currentScript?.dataset.apiKey;
  const shop = keep('shop');
  const host = keep('host');
  const locale = keep('locale') ?? 'en';

  // Messages between the app and the admin.
  const notifyAdmin = (name, ...args) => parent.postMessage({ fakeShopify: 'notify', name, args }, '*');
  const waiting = new Map();
  let asked = 0;
  const requestAdmin = (name, ...args) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      parent.postMessage({ fakeShopify: 'request', id, name, args }, '*');
    });
  const messageHandlers = {
    response({ id, value, error }) {
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (error) waiter?.reject(new Error(error));
      else waiter?.resolve(value);
    },
    navigate: ({ href }) => navigate(href),
    saveBar: ({ id, button }) => saveBars.get(id)?.(button),
    toastAction: ({ id, action }) => toasts.get(id)?.[action]?.(),
  };
  addEventListener('message', ({ data, source }) => {
    if (source === parent) messageHandlers[data?.fakeShopify]?.(data);
  });

  // Session tokens. Adds a fresh token to each of the app's requests to its own origin, and retries a request once if
  // the token has expired.
  const idToken = () => requestAdmin('idToken');
  const nativeFetch = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== location.origin || request.headers.has('authorization')) {
      return nativeFetch(input, init);
    }
    const send = async () => {
      const copy = request.clone();
      const headers = new Headers(copy.headers);
      headers.set('authorization', `Bearer ${await idToken()}`);
      headers.set('x-requested-with', 'XMLHttpRequest');
      return nativeFetch(new Request(copy, { headers }));
    };
    let response = await send();
    if (response.status === 401 && response.headers.has('x-shopify-retry-invalid-session-request')) {
      response = await send();
    }
    const elsewhere = response.headers.get('x-shopify-api-request-failure-reauthorize-url');
    if (elsewhere) notifyAdmin('open', elsewhere, '_top');
    return response;
  };

  // Handles the token page, which the Shopify package returns if a document request doesn't include a token. Fetches a
  // token, and then redirects to the requested page.
  const reload = params.get('shopify-reload');
  if (reload) {
    void idToken().then(token => {
      const next = new URL(reload, location.href);
      next.searchParams.set('id_token', token);
      location.replace(next);
    });
  }

  // App menu in the sidebar. If the app listens for `shopify:navigate`, the app's router handles the click. Otherwise,
  // the frame is reloaded.
  let hasRouter = false;
  const { addEventListener: listen } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === 'shopify:navigate') hasRouter = true;
    return listen.call(this, type, ...rest);
  };
  const links = () => [...document.querySelectorAll('ui-nav-menu a, s-app-nav a, s-app-nav s-link')];
  function navigate(href) {
    const link = links().find(one => one.getAttribute('href') === href);
    if (link && hasRouter) {
      link.dispatchEvent(new CustomEvent('shopify:navigate', { bubbles: true, cancelable: true }));
    } else {
      notifyAdmin('load', href);
    }
  }
  let lastMenu = '';
  const menu = () => {
    const entries = links().map(link => ({
      href: link.getAttribute('href'),
      text: link.textContent,
      home: link.getAttribute('rel') === 'home',
    }));
    if (lastMenu === (lastMenu = JSON.stringify(entries))) return;
    notifyAdmin('menu', entries);
  };
  new MutationObserver(menu).observe(document, { childList: true, subtree: true, characterData: true });

  // Reports the app's current path to the admin, which updates the address bar and the sidebar.
  const OURS = ['embedded', 'hmac', 'host', 'id_token', 'locale', 'session', 'shop', 'shopify-reload', 'timestamp'];
  const place = () => {
    const here = new URL(location.href);
    for (const name of OURS) here.searchParams.delete(name);
    notifyAdmin('place', `${here.pathname}${here.search}${here.hash}`);
  };
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name].bind(history);
    history[name] = (...args) => {
      change(...args);
      place();
    };
  }
  addEventListener('popstate', place);
  place();

  // The admin opens the app's links to admin pages.
  const isAdmin = url => /^(shopify:\/\/admin|https:\/\/admin\.shopify\.com)(\/|$)/.test(url);
  addEventListener(
    'click',
    event => {
      const link = event.composedPath().find(one => one instanceof HTMLAnchorElement && one.href);
      if (!link || !isAdmin(link.href)) return;
      event.preventDefault();
      notifyAdmin('open', link.href, link.target || '_self');
    },
    true,
  );
  const open = window.open.bind(window);
  window.open = (url, target, ...rest) => {
    if (!url || !isAdmin(String(url))) return open(url, target, ...rest);
    notifyAdmin('open', String(url), target ?? '_blank');
    return null;
  };

  // Save bars, for a save bar element or for any form with the `data-save-bar` attribute.
  const saveBars = new Map();
  const isPrimary = button => button.getAttribute('variant') === 'primary';
  const showBar = (id, onButton) => {
    saveBars.set(id, onButton);
    notifyAdmin('saveBar', id, true);
  };
  const hideBar = id => saveBars.delete(id) && notifyAdmin('saveBar', id, false);
  customElements.define(
    'ui-save-bar',
    class extends HTMLElement {
      show() {
        const click = button => {
          const buttons = [...this.querySelectorAll('button')];
          buttons.find(one => isPrimary(one) === (button === 'save'))?.click();
        };
        showBar(this.id, click);
        this.dispatchEvent(new CustomEvent('show'));
        return Promise.resolve();
      }
      hide() {
        if (hideBar(this.id)) this.dispatchEvent(new CustomEvent('hide'));
        return Promise.resolve();
      }
      toggle() {
        return this.showing ? this.hide() : this.show();
      }
      get showing() {
        return saveBars.has(this.id);
      }
    },
  );
  const forms = new WeakMap();
  let formsSeen = 0;
  const barOf = ({ target }) => {
    const form = target instanceof Element ? target.closest('form[data-save-bar]') : null;
    if (form && !forms.has(form)) forms.set(form, `form-${++formsSeen}`);
    return form && { form, id: forms.get(form) };
  };
  for (const type of ['input', 'change']) {
    addEventListener(type, event => {
      const bar = barOf(event);
      if (bar) showBar(bar.id, button => (button === 'save' ? bar.form.requestSubmit() : bar.form.reset()));
    });
  }
  for (const type of ['submit', 'reset']) {
    addEventListener(type, event => {
      const bar = barOf(event);
      if (bar) hideBar(bar.id);
    });
  }

  // Modals. The real admin renders modals outside the app, but the fake renders them inside the app.
  customElements.define(
    'ui-modal',
    class extends HTMLElement {
      #content = document.createElement('div');
      #dialog = null;
      get content() {
        return this.#content;
      }
      get showing() {
        return this.#dialog !== null;
      }
      show() {
        if (this.#dialog) return Promise.resolve();
        const bar = this.querySelector('ui-title-bar');
        const dialog = (this.#dialog = document.createElement('dialog'));
        dialog.className = 'fake-shopify';
        const heading = Object.assign(document.createElement('h2'), { textContent: bar?.getAttribute('title') ?? '' });
        dialog.setAttribute('aria-label', heading.textContent);
        const footer = document.createElement('footer');
        for (const button of bar?.querySelectorAll('button') ?? []) {
          const copy = Object.assign(document.createElement('button'), { textContent: button.textContent });
          copy.disabled = button.disabled;
          copy.onclick = () => button.click();
          footer.append(copy);
        }
        dialog.append(heading, this.#content, footer);
        dialog.addEventListener('close', () => this.hide());
        document.body.append(dialog);
        dialog.showModal();
        notifyAdmin('modal', this.id, true);
        this.dispatchEvent(new CustomEvent('show'));
        return Promise.resolve();
      }
      hide() {
        const dialog = this.#dialog;
        if (!dialog) return Promise.resolve();
        this.#dialog = null;
        dialog.remove();
        notifyAdmin('modal', this.id, false);
        this.dispatchEvent(new CustomEvent('hide'));
        return Promise.resolve();
      }
      toggle() {
        return this.showing ? this.hide() : this.show();
      }
    },
  );
  const byId = id => {
    const element = document.getElementById(id);
    if (!element?.show) throw new Error(`The element with the ID ${id} doesn’t exist or can’t be shown.`);
    return element;
  };
  const calls = {
    show: async id => byId(id).show(),
    hide: async id => byId(id).hide(),
    toggle: async id => byId(id).toggle(),
  };

  const toasts = new Map();
  window.shopify = {
    config: { apiKey, shop, host, locale, disabledFeatures: [], experimentalFeatures: [] },
    origin: location.origin,
    ready: Promise.resolve(),
    environment: { embedded: top !== self, mobile: false, pos: false, intent: false },
    idToken,
    loading: on => notifyAdmin('loading', on !== false),
    toast: {
      show(message, { duration = 5000, isError = false, action, onAction, onDismiss } = {}) {
        const id = `toast-${toasts.size + 1}`;
        toasts.set(id, { onAction, onDismiss });
        notifyAdmin('toast', String(message), { id, duration, isError, action });
        return id;
      },
      hide: id => notifyAdmin('toastHide', id),
    },
    saveBar: { ...calls, leaveConfirmation: async () => (saveBars.size > 0 ? requestAdmin('leave') : undefined) },
    modal: calls,
    scopes: {
      query: () => requestAdmin('scopes'),
      request: scopes => requestAdmin('requestScopes', [...scopes]),
      revoke: scopes => requestAdmin('revokeScopes', [...scopes]),
    },
    resourcePicker: ({ type, multiple = false, query = '', action = 'add', selectionIds = [] } = {}) =>
      requestAdmin('resourcePicker', { type, multiple, query, action, selectionIds }),
    user: async () => ({ accountAccess: 'full' }),
    reviews: {
      request: async () => ({ success: false, code: 'fake', message: 'The fake Shopify doesn’t support reviews.' }),
    },
    support: { registerHandler() {} },
    webVitals: { onReport() {} },
  };
})();
