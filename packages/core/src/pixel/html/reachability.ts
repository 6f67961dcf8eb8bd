import type { State } from '../model/execution.ts';
import type { PageElement } from './page.ts';

const EXECUTED = new Set([
  '',
  'module',
  ...[
    'javascript',
    'ecmascript',
    'x-javascript',
    'x-ecmascript',
    'jscript',
    'livescript',
    'javascript1.0',
    'javascript1.1',
  ].map(t => `text/${t}`),
  ...['javascript1.2', 'javascript1.3', 'javascript1.4', 'javascript1.5'].map(t => `text/${t}`),
  ...['javascript', 'ecmascript', 'x-javascript', 'x-ecmascript'].map(t => `application/${t}`),
]);
const DELAYED = new Set([
  'rocketlazyloadscript',
  'text/rocketscript',
  'text/partytown',
  'text/delayscript',
  'text/lazyload',
]);
/**
 * Matches a script type with the 24-hex-digit prefix that Cloudflare Rocket Loader adds. Rocket Loader runs these
 * scripts itself.
 */
const ROCKET = /^[0-9a-f]{24}-(?:text\/javascript|module|application\/javascript)?$/;

/**
 * Returns whether and when a browser runs a script element, based on the element's type and attributes.
 *
 * @example reachability(element) // 'gated' for <script type="text/plain" data-category="ads">
 */
export function reachability(script: PageElement): State {
  const type = (script.attributes.get('type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const { attributes } = script;
  if (attributes.has('nomodule')) return 'inert';
  if (EXECUTED.has(type) || ROCKET.test(type)) return 'run';
  if (DELAYED.has(type) || type.startsWith('lazyload') || type.endsWith('/lazyload')) return 'later';
  if (type === 'text/plain') {
    const named = [...attributes.keys()].some(name => name.startsWith('data-'));
    return named || /optanon|cookie|consent|cmplz|_iub|trustecm/i.test(attributes.get('class') ?? '')
      ? 'gated'
      : 'inert';
  }
  if (/^(?!text\/|application\/)[\w-]+\/javascript$|^javascript\/[\w-]+$|^text\/(?:x-)?blocked/.test(type))
    return 'gated';
  return 'inert';
}
