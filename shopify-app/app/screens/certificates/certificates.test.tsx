import { expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { certificates, STORIES, view } from './certificates.stories.tsx';

describeStories('the certificates list', STORIES);

it('never claims that a product has a certificate before the first catalog sync', () => {
  const { text } = renderScreen(certificates({ ...view, rows: [], hasCatalog: false }));
  expect(text).not.toContain('Every product in your catalog');
});
