import { expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { catalog, row, STORIES, view } from './catalog.stories.tsx';

describeStories('the catalog', STORIES);

it('never treats untrusted text as a message template', () => {
  const { text } = renderScreen(
    catalog({ ...view, rows: [{ ...row, product: HOSTILE.template, sku: HOSTILE.template }] }),
  );
  expect(text).toContain(`${HOSTILE.template} – M6 / 50 mm`);
  expect(text).toContain(`SKU: ${HOSTILE.template}`);
});
