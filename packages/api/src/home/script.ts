/**
 * Home page script that shows results without reloading the page. The script requests the same page as a form
 * submission, but updates only the form's section. If an error occurs, the script loads the full page instead. The
 * server already escapes all text on the page.
 */
export const SCRIPT = `
addEventListener('submit', async event => {
  const form = event.target;
  const section = form.closest('.check-tool');
  if (!section) return;
  event.preventDefault();
  if (form.getAttribute('aria-busy') === 'true') return;
  const url = new URL(form.action);
  url.search = new URLSearchParams(new FormData(form));
  const working = section.querySelector('.working');
  const button = form.querySelector('button');
  form.setAttribute('aria-busy', 'true');
  button.setAttribute('aria-disabled', 'true');
  section.querySelector('.result').replaceChildren();
  working.textContent = form.dataset.working;
  try {
    const response = await fetch(url, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById(section.id);
    section.replaceWith(document.adoptNode(fresh));
    history.pushState(null, '', url);
    (fresh.querySelector('[aria-invalid]') ?? fresh.querySelector('.result h3') ?? fresh.querySelector('.result a'))?.focus();
  } catch {
    location.assign(url);
  }
});
addEventListener('popstate', () => location.reload());
`;
