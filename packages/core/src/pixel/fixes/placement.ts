import type { Fix } from './fix.ts';
import { isTagStatement } from './tag-statements.ts';
import type { ThemeCode } from './theme-code.ts';

/** Wraps an image in a `<noscript>` element. */
export const wrapImageInNoscript: Fix = (code, { ids: [id] }) => {
  const images = code.observations.filter(
    ({ observation: o }) =>
      o.kind === 'beacon' && o.api === 'pixel' && o.placement === 'image' && o.state === 'run' && o.params.id === id,
  );
  const edits = [];
  for (const { offset } of images) {
    const image = code.elements.find(element => element.offset === offset && element.tag === 'img');
    const range = image && code.startTag(image);
    // If JavaScript is disabled, browsers don't allow images in the head, even in a `<noscript>` element.
    if (!range || image.inHead || /<head[\s>]/i.test(code.masked.slice(range.to))) return 'unclear';
    if (!code.isBetweenLiquid(range.from) || !code.isBetweenLiquid(range.to)) return 'liquid';
    edits.push(
      { from: range.from, to: range.from, text: '<noscript>' },
      { from: range.to, to: range.to, text: '</noscript>' },
    );
  }
  return edits.length === 0 ? 'unclear' : { edits };
};

/** Adds a container's `<noscript>` fallback after the opening `<body>` tag. */
export const addContainerFallback: Fix = (code, { ids: [id], variant }) => {
  if (variant !== 'missing') return 'needs_decision';
  if (id === undefined || !/^GTM-[A-Z0-9]+$/.test(id)) return 'unclear';
  const at = afterTag(code, 'body');
  if (at === null) return 'other_file';
  const indent = `${code.indentAt(code.text.lastIndexOf('<', at - 1))}  `;
  const lines = [
    `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${id}"`,
    'height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>',
  ];
  return { edits: [{ from: at, to: at, text: lines.map(line => `\n${indent}${line}`).join('') }] };
};

/** Moves a container's code to the top of the head. */
export const moveContainerToHead: Fix = (code, { ids: [id] }) => {
  const target = afterTag(code, 'meta') ?? afterTag(code, 'head');
  if (target === null || afterTag(code, 'head') === null) return 'other_file';
  const all = code.observations.filter(
    ({ observation: o }) => o.kind === 'loader' && o.library === 'gtm' && o.id === id && o.position === 'body',
  );
  const [only] = all;
  const script = code.scripts.find(
    ({ base, element }) => only && base <= only.offset && only.offset < base + element.text.length,
  );
  const range = script && code.wholeElement(script.element);
  if (!only || all.length > 1 || !range || code.blocksAt(range.from).length > 0) return 'needs_decision';
  const layer = only.observation.kind === 'loader' ? (only.observation.layer ?? 'dataLayer') : 'dataLayer';
  const tag = { globals: new Set([layer]), owns: () => true };
  if (!script.statements.every(statement => isTagStatement(code, statement, tag))) return 'mixed';
  // If the container moves above code that uses the data layer, values might be missing when the container starts.
  if (code.masked.slice(target, range.from).includes(layer)) return 'needs_decision';
  const deletion = code.deletion(range);
  if (!deletion) return 'liquid';
  const indent = code.indentAt(code.text.lastIndexOf('<', target - 1));
  const text = `\n${indent}${code.text.slice(range.from, range.to)}`;
  return { edits: [{ from: target, to: target, text }, deletion] };
};

/**
 * Returns the offset after the file's only `<head>`, `<body>`, or `<meta charset>` start tag. Returns null if there
 * isn't exactly one such tag, or if the tag depends on Liquid code.
 */
function afterTag(code: ThemeCode, tag: 'head' | 'body' | 'meta'): number | null {
  const pattern = tag === 'meta' ? /<meta\s+charset=/gi : new RegExp(`<${tag}(?=[\\s>])`, 'gi');
  const found = [...code.masked.matchAll(pattern)];
  const [only] = found;
  if (!only || found.length > 1 || code.blocksAt(only.index).length > 0) return null;
  // Text that looks like a tag might be in a comment or script.
  const isElement = code.elements.some(element => element.tag === tag && element.offset === only.index);
  if (tag !== 'head' && !isElement) return null;
  const range = code.startTag({ offset: only.index });
  return range && code.isBetweenLiquid(range.to) ? range.to : null;
}
