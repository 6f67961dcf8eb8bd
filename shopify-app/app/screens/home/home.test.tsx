import { describe, expect, it } from 'vitest';
import type { HomeView } from '../../../src/home/home.ts';
import { describeStates } from '../testing/describe-states.ts';
import { shown } from '../testing/shown.tsx';
import { FIRST, home, live, STATES, view } from './home.states.tsx';
import { Home } from './home.tsx';

describeStates('Home', STATES);

describe('Home', () => {
  it('says in every state what the app is not', () => {
    for (const { screen } of STATES)
      expect(shown(screen).text).toContain('This app gives no legal, customs or tax advice');
  });

  it('has no guide once it is put away or done', () => {
    const title = 'Hide this guide';
    expect(shown(home(view)).text).toContain(title);
    expect(shown(home({ ...view, setup: [] })).text).not.toContain(title);
    const done = view.setup.map(({ step }) => ({ step, done: true }));
    expect(shown(home({ ...view, setup: done })).text).not.toContain(title);
  });

  it('says the step of a scan in a live region, without the percent', () => {
    const { markup } = shown(home(live('theme')));
    const region = /<div aria-live="polite">(.*?)<\/div>/.exec(markup)![1]!;
    expect(region).toContain('Reading the files of your theme');
    expect(region).not.toContain('%');
  });

  it('says at once that a scan is asked for', () => {
    const { text } = shown(<Home {...view} starting onScan={() => {}} onDismissGuide={() => {}} />);
    expect(text).toContain('The scan is about to start');
  });

  it('shows what strangers named as text', () => {
    const evil = '<img src=x onerror=window.hacked=1>';
    const hostile: HomeView = {
      ...view,
      verdict: { ...view.verdict, theme: evil },
      first: [{ ...FIRST[0]!, place: `snippets/${evil}.liquid` }],
    };
    const { text, names } = shown(home(hostile));
    expect(text).toContain(`Published theme: ${evil}.`);
    expect(text).toContain(`snippets/${evil}.liquid`);
    expect(names).not.toContain('img');
  });
});
