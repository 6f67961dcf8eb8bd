import { describe, expect, it } from 'vitest';
import { describeStates } from '../testing/describe-states.ts';
import { shown } from '../testing/shown.tsx';
import { point, STATES, view } from './history.states.tsx';
import { History } from './history.tsx';

describeStates('the history', STATES);

describe('the trend', () => {
  it('says in words what it draws, and has its numbers in a table', () => {
    const { markup, text } = shown(<History {...view} />);
    expect(markup).toContain('aria-label="2 scans; the score went from 60 to 79"');
    expect(text).toMatch(/When Score Nov 2, 2026, 9:00\sAM 60 Nov 2, 2026, 9:00\sAM 79/);
    expect(markup.match(/<circle /g)).toHaveLength(2);
  });

  it('of one scan is none', () => {
    expect(shown(<History {...view} trend={[point('s2', 79)]} />).names).not.toContain('svg');
  });
});
