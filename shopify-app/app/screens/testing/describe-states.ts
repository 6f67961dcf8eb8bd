import { describe, expect, it } from 'vitest';
import { expectSound, LANGUAGES, shown } from './shown.tsx';
import type { State } from './state.ts';

/** Every state of a screen says what it has to, and is sound in every language. What a click brings, only a browser sees. */
export function describeStates(title: string, states: readonly State[]): void {
  describe.each(states)(`${title}, $name`, ({ screen, says, before }) => {
    it.skipIf(before)('says what a merchant needs to know', () => {
      const { text } = shown(screen);
      for (const sentence of says) expect(text).toContain(sentence);
    });

    it.each(LANGUAGES)('is sound in %s', language => expectSound(shown(screen, language)));
  });
}
