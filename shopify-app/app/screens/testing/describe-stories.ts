import { describe, expect, it } from 'vitest';
import { expectValidMarkup, LANGUAGES, renderScreen } from './render-screen.tsx';
import type { Story } from './story.ts';

/**
 * Defines tests for each story's text, and for its markup in every language. Interactions run only in the browser
 * tests.
 */
export function describeStories(title: string, stories: readonly Story[]): void {
  describe.each(stories)(`${title}, $name`, ({ screen, texts, play }) => {
    it.skipIf(play)('shows the expected text', () => {
      const { text } = renderScreen(screen);
      for (const expected of texts) expect(text).toContain(expected);
    });

    it.each(LANGUAGES)('renders valid markup in %s', language => expectValidMarkup(renderScreen(screen, language)));
  });
}
