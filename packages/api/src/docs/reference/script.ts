/**
 * API reference script. The script shows the request forms, adds copy buttons to the snippets, shows all snippets in
 * the selected language, and filters the operations. The page also works without the script.
 */
export const REFERENCE_SCRIPT = `
const MAX_RESPONSE = 200_000;
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

for (const hidden of all('.try, .filter')) hidden.hidden = false;

for (const snippet of all('.snippets details')) {
  const language = snippet.querySelector('summary').textContent;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + language);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(snippet.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Copy failed';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  snippet.append(button);
  snippet.querySelector('summary').addEventListener('click', event => {
    event.preventDefault();
    const top = snippet.getBoundingClientRect().top;
    for (const other of all('.snippets details')) {
      if (other.querySelector('summary').textContent === language) other.open = true;
    }
    scrollBy(0, snippet.getBoundingClientRect().top - top);
  });
}

const filter = document.querySelector('.filter input');
filter?.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const operation of all('.operation')) {
    const names = all('.heading, .fields code.name', operation).map(element => element.textContent);
    const text = [operation.id.replaceAll('-', '.'), ...names].join(' ').toLowerCase();
    operation.hidden = !words.every(word => text.includes(word));
    if (!operation.hidden) shown++;
    const link = all('.contents a').find(({ hash }) => hash === '#' + operation.id);
    if (link) link.parentElement.hidden = operation.hidden;
  }
  document.querySelector('.filter [role=status]').textContent =
    words.length === 0 ? '' : shown === 1 ? '1 operation matches.' : shown + ' operations match.';
});

addEventListener('input', event => {
  if (!event.target.matches('[data-key]')) return;
  for (const other of all('[data-key]')) if (other !== event.target) other.value = event.target.value;
});

addEventListener('submit', async event => {
  const form = event.target;
  if (!form.matches('.try form')) return;
  event.preventDefault();
  if (form.getAttribute('aria-busy') === 'true') return;
  const status = form.querySelector('.status');
  const output = form.querySelector('.response');
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of all('[data-field]', form)) {
    const value = input.value.trim();
    const slot = '{' + input.dataset.field + '}';
    if (path.includes(slot)) path = path.replace(slot, () => encodeURIComponent(value));
    else if (value !== '') query.append(input.dataset.field, value);
  }
  const headers = {};
  const key = form.querySelector('[data-key]');
  if (key) headers.Authorization = 'Bearer ' + key.value.trim();
  const body = form.querySelector('textarea')?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  form.setAttribute('aria-busy', 'true');
  status.textContent = 'Sending…';
  output.hidden = true;
  try {
    const started = performance.now();
    const response = await fetch(path + (query.size > 0 ? '?' + query : ''), {
      method: form.dataset.method.toUpperCase(), headers, body, credentials: 'omit',
    });
    let text = await response.text();
    const ms = Math.round(performance.now() - started);
    try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}
    if (text.length > MAX_RESPONSE) text = text.slice(0, MAX_RESPONSE) + '\\n… The rest of the response is omitted here.';
    const limit = response.headers.get('RateLimit');
    status.textContent = 'HTTP ' + response.status + ' in ' + ms + ' ms' + (limit ? ' · RateLimit: ' + limit : '');
    output.firstChild.textContent = text;
    output.hidden = false;
  } catch (error) {
    status.textContent = 'The request failed: ' + error.message;
  } finally {
    form.removeAttribute('aria-busy');
  }
});
`;
