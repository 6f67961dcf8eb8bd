import { TRAFFIC_PROBLEMS } from '@compliance/core/pixel';
import { describe, expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { expectValidMarkup, LANGUAGES, renderScreen } from '../testing/render-screen.tsx';
import { browserCheck, STORIES, seen, view } from './browser-check.stories.tsx';

describeStories('the browser check', STORIES);

describe('the browser check', () => {
  it('describes every kind of problem in every language', () => {
    const codes = Object.keys(TRAFFIC_PROBLEMS) as (keyof typeof TRAFFIC_PROBLEMS)[];
    const traffic = codes.map(code => ({ code, severity: 'warn' as const, vendor: 'Meta', id: code }));
    for (const language of LANGUAGES) {
      const rendered = renderScreen(browserCheck({ ...view, seen: { ...seen, traffic } }), language);
      expectValidMarkup(rendered);
      expect(rendered.text).not.toContain('browser.traffic');
    }
  });

  it('shows names from the storefront as plain text', () => {
    const { text, names } = renderScreen(
      browserCheck({
        ...view,
        seen: {
          ...seen,
          traffic: [{ code: 'unknown_tag', severity: 'info', vendor: 'Meta', id: HOSTILE.markup }],
          sent: [{ phase: 'load', step: 'page', vendor: 'Meta', event: HOSTILE.markup, count: 2 }],
        },
      }),
    );
    expect(text.split(HOSTILE.markup).length - 1).toBe(2);
    expect(names).not.toContain('img');
  });
});
