import type { Page } from 'playwright-core';
import type { ReactElement } from 'react';

/** Screen state to render and test. */
export interface Story {
  readonly name: string;
  readonly screen: ReactElement;
  /** Text that the screen is expected to show. */
  readonly texts: readonly string[];
  /** Browser interactions that put the screen in this state. Omitted if the screen starts in this state. */
  readonly play?: ((page: Page) => Promise<void>) | undefined;
}

/**
 * Creates the stories for a screen that renders one view. Each entry has a name, a view, the expected text, and
 * optional interactions.
 *
 * @example storiesOf(home, [['clean', clean, ['Nothing needs your attention right now']]])
 */
export const storiesOf = <View>(
  screen: (view: View) => ReactElement,
  stories: readonly (readonly [string, View, readonly string[], Story['play']?])[],
): readonly Story[] => stories.map(([name, view, texts, play]) => ({ name, screen: screen(view), texts, play }));
