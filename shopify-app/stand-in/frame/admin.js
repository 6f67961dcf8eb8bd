// The admin around the app, in the browser: its bar, its sidebar, its dialogs, and what App Bridge asks of it.
const { shop, store, apiKey, appUrl } = JSON.parse(document.querySelector('#settings').textContent);
const frame = document.querySelector('iframe');
const nav = document.querySelector('nav');
const toast = document.querySelector('#toast');
const saveBar = document.querySelector('#save-bar');
const dialog = document.querySelector('dialog');

// What the app said, for tests.
window.told = [];

const send = message => frame.contentWindow.postMessage(message, '*');
const behind = async (path, body = {}) => {
  const response = await fetch(`/stand-in/${path}`, { method: 'POST', body: JSON.stringify({ shop, ...body }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

/** Asks the merchant. Gives what was chosen, null when the dialog was left. */
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

const answers = {
  idToken: async () => (await behind('token')).token,
  scopes: () => behind('scopes'),
  async requestScopes(scopes) {
    const { granted, optional } = await behind('scopes');
    const unknown = scopes.filter(scope => !optional.includes(scope) && !granted.includes(scope));
    if (unknown.length > 0) throw new Error(`Not declared as optional: ${unknown.join(', ')}`);
    const missing = scopes.filter(scope => !granted.includes(scope));
    if (missing.length === 0) return { result: 'granted-all', detail: await behind('scopes') };
    const list = document.createElement('ul');
    list.append(...missing.map(scope => text('li', scope)));
    const chosen = await choose(
      'The app asks for more access',
      [list],
      [
        ['decline', 'Decline'],
        ['allow', 'Allow'],
      ],
    );
    const detail = await behind('scopes', { grant: chosen === 'allow' ? missing : [] });
    return { result: chosen === 'allow' ? 'granted-all' : 'declined-all', detail };
  },
  revokeScopes: async scopes => ({ detail: await behind('scopes', { revoke: scopes }) }),
  async resourcePicker({ type, multiple, query }) {
    const { products } = await behind('products', { query });
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
  // Who stays is not answered: the page goes on as it was.
  leave: async () => ((await confirmLeaving()) === 'leave' ? null : new Promise(() => {})),
};

let bar = null;
let hiding;
const hears = {
  toast(message, { id, duration, isError, action }) {
    toast.replaceChildren(text('span', message));
    if (action) {
      const button = text('button', action);
      button.onclick = () => send({ standIn: 'toastAction', id, action: 'onAction' });
      toast.append(button);
    }
    toast.className = isError ? 'error' : '';
    clearTimeout(hiding);
    hiding = setTimeout(() => {
      toast.replaceChildren();
      send({ standIn: 'toastAction', id, action: 'onDismiss' });
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
          hears.saveBar(bar, false);
          send({ standIn: 'navigate', href });
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
    frame.src = (await behind('address', { path, locale })).address;
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
  document.querySelector(selector).onclick = () => send({ standIn: 'saveBar', id: bar, button });
}

addEventListener('message', async ({ data, source, origin }) => {
  if (source !== frame.contentWindow || origin !== appUrl) return;
  if (data?.standIn === 'tell') {
    window.told.push([data.name, ...data.args]);
    hears[data.name]?.(...data.args);
  }
  if (data?.standIn !== 'ask') return;
  try {
    send({ standIn: 'answer', id: data.id, value: await answers[data.name](...data.args) });
  } catch (error) {
    send({ standIn: 'answer', id: data.id, error: error.message });
  }
});
