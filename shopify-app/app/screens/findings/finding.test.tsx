import { describe, expect, it } from 'vitest';
import type { NoFix } from '../../../src/scan/model/types.ts';
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
    ['until', 'until_past', 'Enter today’s date or a later date.'],
  ])('shows an error next to the %s field: %s', (field, fault, sentence) => {
    for (const language of LANGUAGES) expectValidMarkup(renderScreen(finding(view, { [field]: fault }), language));
    const { text, markup } = renderScreen(finding(view, { [field]: fault }));
    expect(text).toContain(sentence);
    expect(markup.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it.each([
    ...(['needs_value', 'needs_decision', 'needs_code', 'outside_theme', 'secret', 'liquid', 'mixed'] as const),
    ...(['other_file', 'too_long', 'new_finding', 'unclear', 'several_files', 'asset', 'settings'] as const),
  ] satisfies NoFix['reason'][])('explains in every language why it can’t show the exact lines: %s', reason => {
    const texts = LANGUAGES.map(language => {
      const screen = renderScreen(finding({ ...view, fix: { reason } }), language);
      expectValidMarkup(screen);
      return screen.text;
    });
    expect(texts[0]).toContain('We can’t show the exact lines because');
    expect(new Set(texts).size).toBe(LANGUAGES.length);
  });

  it('marks each changed line with text, not only with color', () => {
    const [, , replace] = STORIES.filter(({ name }) => / lines to |^fixed/.test(name));
    const { text } = renderScreen(replace!.screen);
    expect(text.match(/− Removed/g)).toHaveLength(2);
    expect(text.match(/\+ Added/g)).toHaveLength(2);
  });

  it('shows text in backticks as code, and leaves a lone backtick unchanged', () => {
    const { markup, text } = renderScreen(finding({ ...view, what: 'Calls `ga()` twice.', why: 'A ` alone.' }));
    expect(markup).toContain('Calls <code>ga()</code> twice.');
    expect(text).toContain('A ` alone.');
  });

  it('opens the theme editor outside the app’s frame or in a new tab, and opens storefront pages in new tabs', () => {
    const { markup } = renderScreen(finding(view));
    const targets = markup.match(/<a [^>]*themes\/7[^>]*>/g)!.map(link => /target="(\w+)"/.exec(link)?.[1]);
    // The fix stays visible while the merchant edits the file.
    expect(targets).toEqual(['_top', '_blank']);
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
        fix: {
          ...{ themeId: '7', name: `snippets/${evil}.liquid`, corrected: evil, removes: [evil] },
          hunks: [[{ kind: 'added', text: evil, before: null, after: 1 }]],
          added: [{ line: 1, text: evil }],
        },
      }),
    );
    expect(text.split(evil).length - 1).toBe(10);
    expect(names).not.toContain('script');
    expect(names).not.toContain('img');
  });
});
