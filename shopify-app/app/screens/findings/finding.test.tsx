import { describe, expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { expectValidMarkup, LANGUAGES, renderScreen } from '../testing/render-screen.tsx';
import { acceptance, finding, STORIES, view } from './finding.stories.tsx';

describeStories('a finding', STORIES);

describe('a finding', () => {
  it('offers to accept a finding only while it is open and not accepted', () => {
    const form = 'Accept until';
    expect(renderScreen(finding(view)).text).toContain(form);
    expect(renderScreen(finding({ ...view, accepted: true, acceptance })).text).not.toContain(form);
    expect(renderScreen(finding({ ...view, status: 'fixed' })).text).not.toContain(form);
  });

  it.each([
    ['reason', 'reason_missing', 'Enter a reason so that others can understand why this finding was accepted.'],
    ['reason', 'reason_too_long', 'Use 500 characters or fewer.'],
    ['until', 'until_invalid', 'Enter a valid date, or leave this field blank.'],
    ['until', 'until_past', 'Enter today’s date or later.'],
  ])('shows an error next to the %s field: %s', (field, fault, sentence) => {
    for (const language of LANGUAGES) expectValidMarkup(renderScreen(finding(view, { [field]: fault }), language));
    const { text, markup } = renderScreen(finding(view, { [field]: fault }));
    expect(text).toContain(sentence);
    expect(markup.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it('shows text in backticks as code, and leaves a lone backtick unchanged', () => {
    const { markup, text } = renderScreen(finding({ ...view, what: 'Calls `ga()` twice.', why: 'A ` alone.' }));
    expect(markup).toContain('Calls <code>ga()</code> twice.');
    expect(text).toContain('A ` alone.');
  });

  it('opens the theme editor outside the app’s frame, and opens storefront pages in new tabs', () => {
    const { markup } = renderScreen(finding(view));
    expect(markup.match(/<a [^>]*themes\/7[^>]*>/g)!.every(link => link.includes('target="_top"'))).toBe(true);
    expect(markup).toMatch(
      /<a [^>]*target="_blank" href="https:\/\/shop\.example\/products\/mug" rel="noopener noreferrer"/,
    );
  });

  it('shows code and text from the store as plain text', () => {
    const evil = '<script>window.hacked=1</script><img src=x onerror=hacked()>';
    const { text, names } = renderScreen(
      finding({
        ...view,
        ...{ snippet: evil, message: evil, context: evil, ids: [evil], pages: [{ path: `/${evil}`, url: null }] },
        ...{ accepted: true, acceptance: { ...acceptance, reason: evil } },
        files: [{ ...view.files[0]!, name: `snippets/${evil}.liquid` }],
      }),
    );
    expect(text.split(evil).length - 1).toBe(7);
    expect(names).not.toContain('script');
    expect(names).not.toContain('img');
  });
});
