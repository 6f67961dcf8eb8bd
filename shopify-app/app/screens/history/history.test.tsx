import { describe, expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { point, STORIES, view } from './history.stories.tsx';
import { History } from './history.tsx';

describeStories('the scan history', STORIES);

describe('the score trend', () => {
  it('describes the chart in words and shows its numbers in a table', () => {
    const { markup, text } = renderScreen(<History {...view} />);
    expect(markup).toContain('aria-label="Score across 2 scans, from 60 to 79"');
    expect(text).toMatch(/Date Score Nov 2, 2026, 9:00\sAM 60 Nov 2, 2026, 9:00\sAM 79/);
    expect(markup.match(/<circle /g)).toHaveLength(2);
  });

  it('hides the chart if there are fewer than two scans', () => {
    expect(renderScreen(<History {...view} trend={[point('s2', 79)]} />).names).not.toContain('svg');
  });
});
