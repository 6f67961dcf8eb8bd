/**
 * Verification page script. The script compares the SHA-256 hash of the selected PDF with the hashes on the page. The
 * file stays in the browser: the script sends no requests, and the page's content security policy blocks `fetch`.
 * Without the script, the page doesn't show the form.
 */
export const CHECK_SCRIPT = `
const section = document.getElementById('check-pdf');
const { sha256, size, markedSha256, status } = section.dataset;
const result = section.querySelector('[role=status]');
const ended = status === 'superseded' || status === 'voided';
const hashOf = async blob =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())),
    byte => byte.toString(16).padStart(2, '0')).join('');

async function outcomeOf(file) {
  if (!globalThis.crypto?.subtle)
    return ['warn', "Not checked. Browsers compute hashes only on pages that use HTTPS. Compare the file's SHA-256 hash with the one on this page."];
  // The service adds at most a few kilobytes to a PDF, so don't read files that are much larger than the issued PDF.
  if (file.size < size || file.size > 2 * size + 1_000_000) return changed;
  const hash = await hashOf(file);
  if (hash === sha256 && !ended)
    return status === 'complete'
      ? ['good', 'Unchanged. This file is the certificate as we issued it.']
      : ['warn', 'Unchanged. This file is as we issued it, but its status is ' + status + ', so it isn\\u2019t a complete certificate.'];
  if (hash === sha256)
    return ['bad', 'This file is unchanged, but the certificate was ' + status + ' after we issued it. Don\\u2019t rely on it.'];
  if (hash === markedSha256)
    return ['bad', 'This file is the certificate as we issued it, with our mark that it was ' + status + '. Don\\u2019t rely on it.'];
  if (file.size > size && (await hashOf(file.slice(0, size))) === sha256)
    return ['bad', 'Changed. This file starts with the certificate as we issued it, but content was added at the end, which can change its pages.'];
  return changed;
}

const changed = ['bad', 'This file isn\\u2019t the certificate as we issued it. Either it was changed, or it\\u2019s a different file. You can download the original on this page.'];

let latest = 0;
section.querySelector('input').addEventListener('change', async ({ target: { files: [file] } }) => {
  const run = ++latest;
  result.className = '';
  result.textContent = file ? 'Checking\\u2026' : '';
  if (!file) return;
  const [tone, text] = await outcomeOf(file).catch(error => ['warn', 'Not checked. The browser can\\u2019t read the file: ' + error.message]);
  if (run !== latest) return;
  result.className = 'notice ' + tone;
  result.textContent = text;
});
section.hidden = false;
`;
