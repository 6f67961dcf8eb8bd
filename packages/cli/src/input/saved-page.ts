import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Capture, CapturedScript } from '@compliance/core/pixel';
import { listScripts } from '@compliance/crawler';
import { Failure } from '../failure.ts';

/**
 * A saved page as a capture. Scripts are looked up in the folder by the file name in their address, as browsers save them
 * beside a page.
 */
export async function readSavedPage(file: string, url: string, scriptsFolder: string | undefined): Promise<Capture> {
  const page = URL.parse(url);
  if (!page) throw new Failure(`--url ${url}: give an address such as https://shop.example/.`, 2);
  try {
    const html = await readFile(file, 'utf8');
    const scripts = scriptsFolder === undefined ? [] : await readScripts(html, page, scriptsFolder);
    const headers = { 'content-type': 'text/html' };
    return { url: page.href, finalUrl: page.href, status: 200, headers, html, scripts, truncated: false, notes: [] };
  } catch (error) {
    throw new Failure(`The saved page cannot be read: ${(error as Error).message}`);
  }
}

async function readScripts(html: string, page: URL, folder: string): Promise<CapturedScript[]> {
  const files = new Map((await readdir(folder, { recursive: true })).map(path => [basename(path), join(folder, path)]));
  const { sources, base } = listScripts(html);
  const scripts = new Map<string, CapturedScript>();
  for (const source of sources) {
    const address = URL.parse(source, URL.parse(base ?? '', page.href)?.href ?? page.href);
    const saved = address && files.get(basename(decodeURIComponent(address.pathname)));
    if (address && saved)
      scripts.set(address.href, { url: address.href, status: 200, body: await readFile(saved, 'utf8') });
  }
  return [...scripts.values()];
}
