import { type BeaconInitiator, isVendorScript } from '@compliance/core/pixel';
import type { Protocol } from 'devtools-protocol';
import type { CodePosition } from './call-log.ts';

/** Initiator of a beacon if the browser doesn't report which code sent it. */
export const UNKNOWN_INITIATOR: BeaconInitiator = { kind: 'unknown', url: null, id: null, line: null, column: null };

/** Path of Shopify's web pixel frames and workers. */
const WEB_PIXEL = /\/(?:web-pixels@|wpm@)/;

/** Functions that only forward a call to a vendor's queue. The code to change is in the calling function. */
const PASSES_ON = /^(?:(?:window|f|w)\.)?(?:gtag|fbq|n)$/;

const MAX_STACK = 100;
const MAX_URL = 200;

const shown = (url: string): string => url.slice(0, MAX_URL);

/** Returns the code that sent a request, according to the browser. */
export function initiatorOf(
  { initiator, documentURL }: Protocol.Network.RequestWillBeSentEvent,
  target: Protocol.Target.TargetInfo,
): BeaconInitiator {
  const stack = stackOf(initiator);
  if ([documentURL, target.url].some(url => WEB_PIXEL.test(url))) {
    const [first] = stack;
    return { ...positionOf(first), kind: 'web_pixel', url: shown(first?.url ?? target.url), id: null };
  }
  return senderOf(stack, documentURL) ?? { ...UNKNOWN_INITIATOR, kind: 'page' };
}

/**
 * Returns the positions on a request's call stack, most recent call first. Includes the calls that scheduled the code,
 * if the browser reports them.
 */
function stackOf({ stack, url, lineNumber, columnNumber }: Protocol.Network.Initiator): CodePosition[] {
  const positions: CodePosition[] = [];
  for (let part = stack; part && positions.length < MAX_STACK; part = part.parent)
    for (const frame of part.callFrames) {
      const { url: script, lineNumber: line, columnNumber: column, functionName: name } = frame;
      // The browser counts lines and columns from 0.
      if (script !== '') positions.push({ url: script, line: line + 1, column: column + 1, name });
    }
  // An element in the page's HTML, such as an image, has a position but no stack.
  if (url && positions.every(position => position.url !== url))
    positions.push({ url, line: (lineNumber ?? 0) + 1, column: (columnNumber ?? 0) + 1, name: '' });
  return positions.slice(0, MAX_STACK);
}

/**
 * Returns the code that made a call: a web pixel, a container, or the most recent position on the stack that isn't in a
 * vendor's own code. Returns null if the stack is empty.
 *
 * @param stack positions on the call stack, most recent call first
 * @param documentUrl URL of the document; positions with this URL are in the page's own code
 * @example senderOf([{ url: 'https://shop.example/', line: 12, column: 5, name: '' }], 'https://shop.example/')
 * // { kind: 'page', url: null, id: null, line: 12, column: 5 }
 */
export function senderOf(stack: readonly CodePosition[], documentUrl: string | null): BeaconInitiator | null {
  const [last] = stack;
  if (!last) return null;
  if (stack.some(({ url }) => WEB_PIXEL.test(url)))
    return { ...positionOf(last), kind: 'web_pixel', url: shown(last.url), id: null };
  for (const { url } of stack) {
    const id = /\/(?:gtm\.js|gtag\/js)\?(?:.*&)?id=([\w-]{1,30})/.exec(url)?.[1];
    if (id) return { kind: 'container', url: shown(url), id, line: null, column: null };
  }
  const own = stack.find(({ url, name }) => !isVendorScript(url) && !PASSES_ON.test(name)) ?? stack.at(-1)!;
  const isDocument = documentUrl !== null && withoutFragment(own.url) === withoutFragment(documentUrl);
  return { ...positionOf(own), kind: 'page', url: isDocument ? null : shown(own.url), id: null };
}

const withoutFragment = (url: string): string => url.replace(/#.*/s, '');

const positionOf = (position: CodePosition | undefined): Pick<BeaconInitiator, 'line' | 'column'> => ({
  line: position?.line ?? null,
  column: position?.column ?? null,
});
