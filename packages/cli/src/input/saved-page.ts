import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Capture, CapturedScript } from '@compliance/core/pixel';
import { listScripts } from '@compliance/crawler';
import { CliError } from '../cli-error.ts';

/**
 * Reads a saved page as a capture. Matches script files to scripts by the filename in the script URL, because browsers save
 * scripts under that name.
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
    throw new CliError(`Can't read the saved page: ${(error as Error).message}`);
  }
}

async function readScripts(html: string, page: URL, folder: string): Promise<CapturedScript[]> {
  const files = new Map((await readdir(folder, { recursive: true })).map(path => [basename(path), join(folder, path)]));
  const { sources, base } = listScripts(html);
  const scripts = new Map<string, CapturedScript>();
  for (const source of sources) {
    const scriptUrl = URL.parse(source, URL.parse(base ?? '', page.href)?.href ?? page.href);
    const saved = scriptUrl && files.get(basename(decodeURIComponent(scriptUrl.pathname)));
    if (scriptUrl && saved)
      scripts.set(scriptUrl.href, { url: scriptUrl.href, status: 200, body: await readFile(saved, 'utf8') });
  }
  return [...scripts.values()];
}
