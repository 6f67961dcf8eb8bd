// Browser script for the product page in the fake Shopify admin, which hosts the app's admin UI extensions.
const settings = JSON.parse(document.querySelector('#settings').textContent);
const { shop, store, apiKey, appUrl, extensionsUrl, extensions, product, locale } = settings;
const dialog = document.querySelector('dialog');
const blocks = document.querySelector('#blocks');
const frames = new Map();

// Extension messages and printed documents, recorded for tests.
window.extensionMessages = [];
window.printed = [];

const element = (tag, properties) => Object.assign(document.createElement(tag), properties);
const callServer = async (path, body = {}) => {
  const response = await fetch(`/fake-shopify/${path}`, { method: 'POST', body: JSON.stringify({ shop, ...body }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

/** Creates the iframe that runs an extension. */
function frameOf({ handle, name }) {
  const frame = element('iframe', { title: name, name: handle });
  frame.src = `${extensionsUrl}/fake-shopify/extensions/${handle}?${new URLSearchParams({ resource: product, locale })}`;
  frames.set(handle, frame);
  return frame;
}

/** Opens an action or a print action in a dialog. */
function openDialog(extension) {
  const close = element('button', { textContent: 'Close window', onclick: () => dialog.close() });
  dialog.setAttribute('aria-label', extension.name);
  dialog.replaceChildren(frameOf(extension), ...(extension.target.includes('print') ? printControls() : []), close);
  dialog.showModal();
}
dialog.addEventListener('close', () => dialog.replaceChildren());

/** Creates the preview and the button that prints the document. */
function printControls() {
  const preview = element('p', { id: 'preview', textContent: 'Nothing to preview' });
  preview.setAttribute('role', 'status');
  return [preview, element('button', { id: 'print', textContent: 'Print', disabled: true })];
}

let previews = 0;
/**
 * Loads the document to preview and print. Sends a session token, which the code in Shopify's tutorial requires. The
 * document can be HTML, a PDF, or an image.
 */
async function showPreview(src) {
  const turn = ++previews;
  const preview = document.querySelector('#preview');
  const print = document.querySelector('#print');
  Object.assign(preview, { textContent: src === null ? 'Nothing to preview' : 'Loading the preview' });
  print.disabled = true;
  if (src === null) return;
  const { token } = await callServer('token');
  const response = await fetch(new URL(src, appUrl), { headers: { authorization: `Bearer ${token}` } });
  const document_ = await response.blob();
  if (turn !== previews) return;
  if (!response.ok) return void (preview.textContent = `The document can’t be loaded: ${response.status}`);
  preview.textContent = `Preview: ${document_.type}, ${document_.size} bytes`;
  print.disabled = false;
  print.onclick = async () => window.printed.push({ src, type: document_.type, text: await document_.text() });
}

/** Returns the admin URL that a link in an extension opens. */
function pageOf(href) {
  const path = href.startsWith('app:') ? `/${href.slice('app:'.length)}` : href;
  if (path.startsWith('/')) return `/store/${store}/apps/${apiKey}${path}?${new URLSearchParams({ locale })}`;
  return href.replace(/^shopify:\/?\/?admin/, `/store/${store}`);
}

const handlers = {
  idToken: async () => (await callServer('token')).token,
  query: async (_, query, options) => callServer('query', { query, ...options }),
  height: (frame, height) => void (frame.style.height = `${Math.ceil(height) + 2}px`),
  summary: (frame, text) => void (frame.dataset.summary = text),
  close: () => dialog.close(),
  print: (_, src) => showPreview(src),
  navigate(_, url) {
    const handle = /^extension:(?:\/\/)?([\w-]+)/.exec(url)?.[1];
    const extension = extensions.find(one => one.handle === handle && one.target.includes('.action.'));
    if (!extension) throw new Error(`There’s no action ${url}.`);
    openDialog(extension);
  },
  open(_, href, target) {
    if (target === '_blank') window.open(pageOf(href));
    else location.assign(pageOf(href));
  },
};

addEventListener('message', async ({ data, source, origin }) => {
  const frame = frames.get(data?.extension);
  if (source !== frame?.contentWindow || origin !== new URL(extensionsUrl).origin) return;
  const { name, args, id } = data;
  window.extensionMessages.push([data.extension, name, ...args]);
  try {
    const value = await handlers[name](frame, ...args);
    if (id) source.postMessage({ id, value }, origin);
  } catch (error) {
    if (id) source.postMessage({ id, error: error.message }, origin);
    else reportError(error);
  }
});

for (const extension of extensions) {
  if (extension.target.includes('.block.')) blocks.append(frameOf(extension));
  else {
    const menu = document.querySelector(extension.target.includes('print') ? '#print-menu' : '#actions');
    menu.append(element('button', { textContent: extension.name, onclick: () => openDialog(extension) }));
  }
}
