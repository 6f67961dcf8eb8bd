// Browser script for the fake Shopify admin: the top bar, the sidebar, dialogs, and responses to App Bridge.
const { shop, store, apiKey, appUrl } = JSON.parse(document.querySelector('#settings').textContent);
const frame = document.querySelector('iframe');
const nav = document.querySelector('nav');
const toast = document.querySelector('#toast');
const saveBar = document.querySelector('#save-bar');
const dialog = document.querySelector('dialog');

// Messages from the app, recorded for tests.
window.appMessages = [];

const send = message => frame.contentWindow.postMessage(message, '*');
const callServer = async (path, body = {}) => {
  const response = await fetch(`/fake-shopify/${path}`, { method: 'POST', body: JSON.stringify({ shop, ...body }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

/** Shows a dialog. Returns the chosen value, or an empty string if the dialog was closed. */
function choose(title, content, buttons) {
  dialog.replaceChildren(Object.assign(document.createElement('h2'), { textContent: title }), ...content);
  const form = Object.assign(document.createElement('form'), { method: 'dialog' });
  for (const [value, text] of buttons) {
    form.append(Object.assign(document.createElement('button'), { value, textContent: text }));
  }
  dialog.append(form);
  dialog.returnValue = '';
  dialog.setAttribute('aria-label', title);
  dialog.showModal();
  return new Promise(done => dialog.addEventListener('close', () => done(dialog.returnValue), { once: true }));
}
const text = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });

const confirmLeaving = () =>
  choose(
    'Unsaved changes',
    [text('p', 'Leave the page without saving?')],
    [
      ['stay', 'Stay'],
      ['leave', 'Leave page'],
    ],
  );

const requestHandlers = {
  idToken: async () => (await callServer('token')).token,
  scopes: () => callServer('scopes'),
  async requestScopes(scopes) {
    const { granted, optional } = await callServer('scopes');
    const unknown = scopes.filter(scope => !optional.includes(scope) && !granted.includes(scope));
    if (unknown.length > 0) throw new Error(`Not declared as optional: ${unknown.join(', ')}`);
    const missing = scopes.filter(scope => !granted.includes(scope));
    if (missing.length === 0) return { result: 'granted-all', detail: await callServer('scopes') };
    const list = document.createElement('ul');
    list.append(...missing.map(scope => text('li', scope)));
    const chosen = await choose(
      'The app requests more permissions',
      [list],
      [
        ['decline', 'Decline'],
        ['allow', 'Allow'],
      ],
    );
    const detail = await callServer('scopes', { grant: chosen === 'allow' ? missing : [] });
    return { result: chosen === 'allow' ? 'granted-all' : 'declined-all', detail };
  },
  revokeScopes: async scopes => ({ detail: await callServer('scopes', { revoke: scopes }) }),
  async resourcePicker({ type, multiple, query }) {
    const { products } = await callServer('products', { query });
    const list = document.createElement('ul');
    list.className = 'picker';
    for (const { id, title } of products) {
      const input = document.createElement('input');
      Object.assign(input, { type: multiple ? 'checkbox' : 'radio', name: 'picked', value: id });
      const label = document.createElement('label');
      label.append(input, ` ${title}`);
      const item = document.createElement('li');
      item.append(label);
      list.append(item);
    }
    const chosen = await choose(
      `Select ${type}s`,
      [list],
      [
        ['cancel', 'Cancel'],
        ['select', 'Select'],
      ],
    );
    if (chosen !== 'select') return undefined;
    const picked = new Set([...list.querySelectorAll('input:checked')].map(({ value }) => value));
    const found = products.filter(({ id }) => picked.has(id));
    return type === 'variant' ? found.flatMap(({ variants }) => variants) : found;
  },
  // If the merchant chooses to stay on the page, the promise never resolves, so the page doesn't change.
  leave: async () => ((await confirmLeaving()) === 'leave' ? null : new Promise(() => {})),
};

let bar = null;
let hiding;
const messageHandlers = {
  toast(message, { id, duration, isError, action }) {
    toast.replaceChildren(text('span', message));
    if (action) {
      const button = text('button', action);
      button.onclick = () => send({ fakeShopify: 'toastAction', id, action: 'onAction' });
      toast.append(button);
    }
    toast.className = isError ? 'error' : '';
    clearTimeout(hiding);
    hiding = setTimeout(() => {
      toast.replaceChildren();
      send({ fakeShopify: 'toastAction', id, action: 'onDismiss' });
    }, duration);
  },
  toastHide: () => toast.replaceChildren(),
  loading: on => document.body.classList.toggle('loading', on),
  saveBar(id, shown) {
    bar = shown ? id : bar === id ? null : bar;
    saveBar.hidden = bar === null;
  },
  menu(entries) {
    nav.replaceChildren(
      ...entries.map(({ href, text: name, home }) => {
        const button = text('button', home ? 'Home' : name);
        button.dataset.href = href;
        button.onclick = async () => {
          if (bar !== null && (await confirmLeaving()) !== 'leave') return;
          messageHandlers.saveBar(bar, false);
          send({ fakeShopify: 'navigate', href });
        };
        return button;
      }),
    );
    mark();
  },
  place(path) {
    history.replaceState(null, '', `/store/${store}/apps/${apiKey}${path === '/' ? '' : path}`);
    mark();
  },
  async load(path) {
    const locale = new URL(frame.src).searchParams.get('locale');
    frame.src = (await callServer('address', { path, locale })).address;
  },
  open(href, target) {
    const { pathname, search, hash } = new URL(
      href.replace(/^shopify:\/\/admin/, `https://admin.shopify.com/store/${store}`),
    );
    const address = `${pathname}${search}${hash}`;
    if (target === '_blank') window.open(address);
    else location.assign(address);
  },
};

function mark() {
  const prefix = `/store/${store}/apps/${apiKey}`;
  const path = location.pathname.slice(prefix.length);
  const buttons = [...nav.querySelectorAll('button')];
  const here = buttons
    .filter(({ dataset }) => path === dataset.href || path.startsWith(`${dataset.href}/`))
    .sort((a, b) => b.dataset.href.length - a.dataset.href.length)[0];
  for (const button of buttons) {
    if (button === here) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
}

for (const [selector, button] of [
  ['#save', 'save'],
  ['#discard', 'discard'],
]) {
  document.querySelector(selector).onclick = () => send({ fakeShopify: 'saveBar', id: bar, button });
}

addEventListener('message', async ({ data, source, origin }) => {
  if (source !== frame.contentWindow || origin !== appUrl) return;
  if (data?.fakeShopify === 'notify') {
    window.appMessages.push([data.name, ...data.args]);
    messageHandlers[data.name]?.(...data.args);
  }
  if (data?.fakeShopify !== 'request') return;
  try {
    send({ fakeShopify: 'response', id: data.id, value: await requestHandlers[data.name](...data.args) });
  } catch (error) {
    send({ fakeShopify: 'response', id: data.id, error: error.message });
  }
});
