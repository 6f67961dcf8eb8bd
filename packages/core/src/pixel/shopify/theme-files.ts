import type { CapturedScript } from '../model/capture.ts';
import type { AddObservation } from '../model/observation.ts';

/** Liquid variables that only the retired order status page and checkout provide. */
const ORDER_STATUS = /\bfirst_time_accessed\b|\bcheckout\.(?:order_id|order_number|total_price|line_items)\b/;

/** Analyzes a theme's Liquid files. In a capture of theme files, the files are listed as scripts. */
export function readThemeFiles(files: readonly CapturedScript[], add: AddObservation): void {
  for (const { url, body } of files) {
    if (!url.endsWith('.liquid')) continue;
    if (/(?:^|\/)layout\/checkout\.liquid$/.test(url) && !/(?:^|\/)docs?\//.test(url)) {
      add({ kind: 'shopify_api', api: 'checkout_liquid', detail: url });
    }
    if (liquidTags(body).some(tag => ORDER_STATUS.test(tag)))
      add({ kind: 'shopify_api', api: 'order_status_liquid', detail: url });
  }
}

/** Returns the tags and output expressions in a Liquid file, excluding those in comments. */
function liquidTags(source: string): string[] {
  const tags: string[] = [];
  let commented = false;
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at + 1)) {
    const close = source[at + 1] === '%' ? '%}' : source[at + 1] === '{' ? '}}' : null;
    if (!close) continue;
    const end = source.indexOf(close, at + 2);
    if (end < 0) break;
    const tag = source.slice(at + 2, Math.min(end, at + 2_000));
    if (/^-?\s*comment\b/.test(tag)) commented = true;
    else if (/^-?\s*endcomment\b/.test(tag)) commented = false;
    else if (!commented) tags.push(tag);
    at = end;
  }
  return tags;
}
