import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom/server.js';
import { expect } from 'vitest';
import { TranslationProvider } from '../../i18n/provider.tsx';
import { translationsFor } from '../../i18n/translations.server.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'en-XA'] as const;

/** Server-rendered screen. */
export interface RenderedScreen {
  readonly markup: string;
  /** Visible text, with whitespace collapsed. */
  readonly text: string;
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  /** Element names in document order. */
  readonly names: readonly string[];
  /** Each image's attribute names, sorted. */
  readonly images: readonly (readonly string[])[];
}

/**
 * Renders a screen to static markup in the given language.
 *
 * @example renderScreen(<Home {...view} />, 'de').text // 'Portfolio Compliance Jetzt scannen …'
 */
export function renderScreen(screen: ReactNode, locale: (typeof LANGUAGES)[number] = 'en'): RenderedScreen {
  const translations = translationsFor(new Request(`https://app.example/app?locale=${locale}`));
  const markup = renderToStaticMarkup(
    <StaticRouter location="/app">
      <TranslationProvider {...translations}>{screen}</TranslationProvider>
    </StaticRouter>,
  );
  const tree = parseFragment(markup);
  const elements = elementsIn(tree);
  return {
    markup,
    text: textOf(tree),
    headings: elements
      .filter(({ tagName }) => /^h[1-6]$/.test(tagName))
      .map(element => ({ level: Number(element.tagName[1]), text: textOf(element) })),
    names: elements.map(({ tagName }) => tagName),
    images: elements
      .filter(({ tagName }) => tagName === 'img')
      .map(({ attrs }) => attrs.map(({ name }) => name).sort()),
  };
}

/**
 * Checks that a screen has one title and ordered headings. Also checks that no messages are missing, no placeholders
 * are unfilled, and no elements were created from untrusted text.
 */
export function expectValidMarkup({ markup, text, headings, names, images }: RenderedScreen): void {
  expect(headings.filter(({ level }) => level === 1)).toHaveLength(1);
  expect(headings[0]!.level).toBe(1);
  for (const [index, { level, text }] of headings.entries()) {
    expect(text).not.toBe('');
    expect(level - (headings[index - 1]?.level ?? 0)).toBeLessThanOrEqual(1);
  }
  expect(markup).not.toMatch(/\b(app|browser|home|findings|history|catalog|certificates|settings|Polaris)\.\w+/);
  expect(text).not.toMatch(/\{\{|\}\}|\bundefined\b|\bNaN\b|\[object/);
  expect(names.filter(name => ['script', 'iframe', 'object', 'b'].includes(name))).toEqual([]);
  // An image from untrusted text would have different attributes than a product image.
  for (const attributes of images) expect(attributes).toEqual(['alt', 'height', 'loading', 'src', 'style', 'width']);
}

const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node;

const elementsIn = (node: Tree.ParentNode): Tree.Element[] =>
  node.childNodes.flatMap(child => (isElement(child) ? [child, ...elementsIn(child)] : []));

function textOf(node: Tree.Node): string {
  const pieces = (at: Tree.Node): string[] =>
    'value' in at ? [at.value] : 'childNodes' in at ? [...at.childNodes.flatMap(pieces), ' '] : [];
  return pieces(node).join('').replaceAll(/\s+/g, ' ').trim();
}
