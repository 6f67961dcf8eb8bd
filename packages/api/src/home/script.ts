/**
 * Answers in place. The form's own address gives the same page without a script; this fetches it, takes the one section out
 * of it, and falls back to a plain load when anything is not as expected. The server escaped every text of the page already.
 */
export const SCRIPT = `
addEventListener('submit', async event => {
  const form = event.target;
  const section = form.closest('.probe');
  if (!section) return;
  event.preventDefault();
  if (form.getAttribute('aria-busy') === 'true') return;
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form));
  const working = section.querySelector('.working');
  const button = form.querySelector('button');
  form.setAttribute('aria-busy', 'true');
  button.setAttribute('aria-disabled', 'true');
  section.querySelector('.answer').replaceChildren();
  working.textContent = form.dataset.working;
  try {
    const response = await fetch(address, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById(section.id);
    section.replaceWith(document.adoptNode(fresh));
    history.pushState(null, '', address);
    (fresh.querySelector('[aria-invalid]') ?? fresh.querySelector('.answer h3') ?? fresh.querySelector('.answer a'))?.focus();
  } catch {
    location.assign(address);
  }
});
addEventListener('popstate', () => location.reload());
`;
