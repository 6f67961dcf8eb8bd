import type { Page } from 'playwright-core';
import type { ReactElement } from 'react';

/** One thing that a screen can be. */
export interface State {
  readonly name: string;
  readonly screen: ReactElement;
  /** What a merchant reads then. */
  readonly says: readonly string[];
  /** What somebody did in the browser before; without it the screen is like that at once. */
  readonly before?: ((page: Page) => Promise<void>) | undefined;
}

/**
 * The states of a screen that is made from one view: name, view, what it says, and what is done before.
 *
 * @example statesOf(home, [['clean', clean, ['Nothing needs you right now.']]])
 */
export const statesOf = <View>(
  screen: (view: View) => ReactElement,
  states: readonly (readonly [string, View, readonly string[], State['before']?])[],
): readonly State[] => states.map(([name, view, says, before]) => ({ name, screen: screen(view), says, before }));
