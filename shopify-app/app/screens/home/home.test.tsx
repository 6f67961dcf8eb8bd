import { describe, expect, it } from 'vitest';
import type { HomeView } from '../../../src/home/home.ts';
import { describeStories } from '../testing/describe-stories.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { FINDING, home, live, STORIES, view } from './home.stories.tsx';
import { Home } from './home.tsx';

describeStories('Home', STORIES);

describe('Home', () => {
  it('shows the disclaimer in every state', () => {
    for (const { screen } of STORIES)
      expect(renderScreen(screen).text).toContain('This app doesn’t give legal, customs, or tax advice');
  });

  it('hides the setup guide after it is dismissed or completed', () => {
    const title = 'Dismiss guide';
    expect(renderScreen(home(view)).text).toContain(title);
    expect(renderScreen(home({ ...view, setup: [] })).text).not.toContain(title);
    const done = view.setup.map(({ step }) => ({ step, done: true }));
    expect(renderScreen(home({ ...view, setup: done })).text).not.toContain(title);
  });

  it('announces the current scan step in a live region, without the percentage', () => {
    const { markup } = renderScreen(home(live('theme')));
    const region = /<div aria-live="polite">(.*?)<\/div>/.exec(markup)![1]!;
    expect(region).toContain('Scanning your theme files');
    expect(region).not.toContain('%');
  });

  it('shows a newly requested scan immediately', () => {
    const { text } = renderScreen(<Home {...view} starting onScan={() => {}} onDismissGuide={() => {}} />);
    expect(text).toContain('The scan will start soon');
  });

  it('shows untrusted names as plain text', () => {
    const evil = '<img src=x onerror=window.hacked=1>';
    const hostile: HomeView = {
      ...view,
      verdict: { ...view.verdict, theme: evil },
      inbox: [{ ...FINDING, place: `snippets/${evil}.liquid` }],
    };
    const { text, names } = renderScreen(home(hostile));
    expect(text).toContain(`Published theme: ${evil}.`);
    expect(text).toContain(`snippets/${evil}.liquid`);
    expect(names).not.toContain('img');
  });
});
