import type { Story } from './story.ts';

const files = import.meta.glob<{ readonly STORIES: readonly Story[] }>('../*/*.stories.tsx', { eager: true });

/** Stories for all screens, by filename. */
export const STORIES_BY_SCREEN: Readonly<Record<string, readonly Story[]>> = Object.fromEntries(
  Object.entries(files).map(([path, { STORIES }]) => [/([\w-]+)\.stories\.tsx$/.exec(path)![1]!, STORIES]),
);
