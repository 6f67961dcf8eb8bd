import type { State } from './state.ts';

const files = import.meta.glob<{ readonly STATES: readonly State[] }>('../*/*.states.tsx', { eager: true });

/** Every screen by the name of its file, with all that it can be. */
export const SCREENS: Readonly<Record<string, readonly State[]>> = Object.fromEntries(
  Object.entries(files).map(([path, { STATES }]) => [/([\w-]+)\.states\.tsx$/.exec(path)![1]!, STATES]),
);
