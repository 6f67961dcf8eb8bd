import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EFILING_MESSAGES } from '@compliance/core/entry';
import { MESSAGE_TERMS, REPORT_TEXTS, ruleTexts } from '@compliance/core/pixel';
import { DATASET } from '@compliance/core/tariff';
import { de } from '@compliance/translations';
import type { Frame } from 'playwright-core';
import { KIT_MESSAGES } from '../app/ui/kit/messages.ts';

const APP = join(import.meta.dirname, '..');

const read = (file: string): unknown => JSON.parse(readFileSync(join(APP, file), 'utf8'));
const screenFiles = (language: string): string[] => globSync(`app/i18n/locales/${language}/*.json`, { cwd: APP });

/** Reads the messages of the app and its extensions in one language. */
const messagesIn = (language: string, inExtensions = language): unknown[] =>
  [...screenFiles(language), ...globSync(`extensions/*/locales/${inExtensions}.json`, { cwd: APP })].map(read);

/** Returns the keys of nested messages, without plural suffixes. */
const keysIn = (messages: unknown, key: string): string[] =>
  typeof messages === 'string'
    ? [key.replace(/_(?:one|other)$/, '')]
    : Object.entries(messages as object).flatMap(([name, each]) => keysIn(each, `${key}.${name}`));

/** Returns all strings in nested messages. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** Splits a message at its parameters and code, which are the same in every language. */
const piecesOf = (message: string): string[] => message.split(/\{\{?[^{}]*\}?\}|`[^`]*`/);
const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

interface Template {
  readonly pattern: RegExp;
  readonly letters: number;
}

/** Returns patterns for messages with parameters. Skips messages that consist only of parameters. */
function templatesOf(messages: readonly string[]): Template[] {
  return messages.flatMap(message => {
    const pieces = piecesOf(message);
    const letters = lettersIn(pieces.join(''));
    if (pieces.length === 1 || letters < 2) return [];
    return [{ pattern: new RegExp(`^${pieces.map(escapePattern).join('.+')}$`, 'su'), letters }];
  });
}

const german = [...new Set(stringsIn([messagesIn('de'), KIT_MESSAGES.de, de]))];
const germanText = german.join('\n');
const isGerman = new Set(german);
const english = [
  ...new Set(
    stringsIn([
      messagesIn('en', 'en.default'),
      KIT_MESSAGES.en,
      Object.fromEntries(ruleTexts),
      ...[MESSAGE_TERMS, REPORT_TEXTS, EFILING_MESSAGES, DATASET.caveats],
      Object.values(DATASET.conditions).map(({ text }) => text),
      DATASET.stacking.map(({ text }) => text),
    ]),
  ),
].filter(message => lettersIn(message) > 1 && !isGerman.has(message));

/** Message keys. The app shows the key if a message is missing. */
const keys = screenFiles('en').flatMap(file => keysIn(read(file), basename(file, '.json')));
const isEnglish = new Set([...english, ...keys]);
const englishTemplates = templatesOf(english);
const germanTemplates = templatesOf(german);

/** Parts of English messages that are long enough to recognize inside longer text. */
const phrases = [...new Set(english.flatMap(piecesOf).map(piece => piece.trim()))].filter(
  piece => piece.length >= 12 && /\p{L}{2}\S*\s+\S*\p{L}/u.test(piece) && !germanText.includes(piece),
);

/** Returns whether the text contains the phrase, matching whole words only. */
const isPhraseIn = (phrase: string, text: string): boolean =>
  text.includes(phrase) && new RegExp(`(?<!\\p{L})${escapePattern(phrase)}(?!\\p{L})`, 'u').test(text);

const mostLetters = (templates: readonly Template[], text: string): number =>
  Math.max(0, ...templates.filter(({ pattern }) => pattern.test(text)).map(({ letters }) => letters));

/** Returns whether the text is an English message but not a German message. */
function isEnglishMessage(text: string): boolean {
  if (isEnglish.has(text)) return true;
  if (isGerman.has(text)) return false;
  const letters = mostLetters(englishTemplates, text);
  return letters > 0 && letters > mostLetters(germanTemplates, text);
}

interface VisibleText {
  /** Text that is marked as English, such as a citation or an official description. */
  readonly marked: boolean;
  readonly text: string;
}

/**
 * Collects a document's text and text attributes. Skips the text of `script`, `style`, `code`, `pre`, and `bdi`
 * elements, because that text isn't from a message catalog.
 */
const COLLECT = `(() => {
  const skipped = 'script, style, code, pre, bdi';
  const texts = [{ marked: false, text: document.title }];
  const add = (element, text) => texts.push({ marked: element.closest('[lang=en]') !== null, text });
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode())
    if (!node.parentElement.closest(skipped)) add(node.parentElement, node.data);
  const attributes = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt', 'label', 'heading'];
  for (const element of document.body.querySelectorAll(attributes.map(name => '[' + name + ']').join()))
    for (const name of attributes) if (element.hasAttribute(name)) add(element, element.getAttribute(name));
  return texts;
})()`;

/** Placeholder for a string from the store, such as a product's title. */
const STORE_DATA = '\uFFFC';

/**
 * Returns the English strings in a German session's frame. Compares the frame's text with the English messages of the
 * app, its extensions, its UI kit, and `core`, and with message keys. Strings that are the same in German don't count.
 *
 * @param titles strings from the store, which can be in any language
 * @example expect(await englishTexts(frame, ['Bicycle helmet'])).toEqual([]);
 */
export async function englishTexts(frame: Frame, titles: readonly string[]): Promise<string[]> {
  // Replace longer titles first, because a title can contain another title.
  const longestFirst = [...new Set(titles)].sort((a, b) => b.length - a.length);
  const texts = (await frame.evaluate<VisibleText[]>(COLLECT)).map(({ marked, text }) => ({
    marked,
    text: longestFirst.reduce((rest, title) => rest.replaceAll(title, STORE_DATA), text.replace(/\s+/g, ' ').trim()),
  }));
  const all = texts.map(({ text }) => text).join('\n');
  const parts = texts
    .filter(({ marked, text }) => !marked && !isGerman.has(text))
    .flatMap(({ text }) => [text, ...text.split(/ · |: | \(|\)|, |(?<=[.!?]) /)])
    .filter(text => lettersIn(text) > 1);
  return [...new Set([...parts.filter(isEnglishMessage), ...phrases.filter(phrase => isPhraseIn(phrase, all))])];
}
