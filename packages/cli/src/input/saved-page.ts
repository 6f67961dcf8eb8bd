import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Capture, type CapturedScript, readContainer } from '@compliance/core/pixel';
import { googleTagUrl, isGoogleTag, listScripts } from '@compliance/crawler';
import { CliError, fileError } from '../cli-error.ts';

/**
 * Reads a saved page as a capture. Matches script files to scripts by the filename in the script URL, because browsers
 * save scripts under that name. Matches Google tags by the ID in the file, because all saved Google tags have the same
 * filename.
 */
export async function readSavedPage(file: string, url: string, scriptsFolder: string | undefined): Promise<Capture> {
  const page = URL.parse(url);
  if (!page) throw new CliError(`--url ${url}: enter a URL such as https://shop.example/.`, 2);
  try {
    const html = await readFile(file, 'utf8');
    const scripts = scriptsFolder === undefined ? [] : await readScripts(html, page, scriptsFolder);
    const headers = { 'content-type': 'text/html' };
    return { url: page.href, finalUrl: page.href, status: 200, headers, html, scripts, truncated: false, notes: [] };
  } catch (error) {
    throw fileError(`Can't read the saved page ${file}`, error);
  }
}

async function readScripts(html: string, page: URL, folder: string): Promise<CapturedScript[]> {
  const files = new Map((await readdir(folder, { recursive: true })).map(path => [basename(path), join(folder, path)]));
  const { sources, base, googleTags } = listScripts(html);
  const scripts = new Map<string, CapturedScript>();
  const tags = new Map(googleTags.map(id => [id, googleTagUrl(id)]));
  for (const source of sources) {
    const scriptUrl = URL.parse(source, URL.parse(base ?? '', page.href)?.href ?? page.href);
    const id = scriptUrl?.searchParams.get('id');
    if (scriptUrl && id && isGoogleTag(scriptUrl)) {
      tags.set(id, scriptUrl);
      continue;
    }
    const saved = scriptUrl && files.get(basename(decodeURIComponent(scriptUrl.pathname)));
    if (scriptUrl && saved)
      scripts.set(scriptUrl.href, { url: scriptUrl.href, status: 200, body: await readFile(saved, 'utf8') });
  }
  for (const path of tags.size === 0 ? [] : files.values()) {
    if (!googleTagFile.test(basename(path))) continue;
    const body = await readFile(path, 'utf8');
    const container = readContainer(body);
    const url = 'unreadable' in container ? undefined : tags.get(container.id ?? '');
    if (url) scripts.set(url.href, { url: url.href, status: 200, body });
  }
  return [...scripts.values()];
}

/**
 * Matches the filenames that browsers and download tools use for saved copies of `gtm.js` and `gtag/js`, such as
 * `gtm.js.download`.
 */
const googleTagFile = /^(?:gtm|gtag|js)(?![a-z])|\b(?:GTM|GT|G|AW)-/i;
