import { describe, expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { findings, row, STORIES, view } from './findings.stories.tsx';

describeStories('the findings list', STORIES);

describe('the findings list', () => {
  it('lets merchants select open findings but not accepted findings, and labels each checkbox', () => {
    expect(renderScreen(findings(view)).markup).toContain('aria-label="Select “Old tag”"');
    expect(renderScreen(findings({ ...view, asked: { status: 'accepted' } })).markup).not.toContain('Select “');
  });

  it('shows rule counts only for open findings', () => {
    expect(renderScreen(findings({ ...view, asked: { status: 'fixed' } })).text).not.toContain('Old tag (2)');
  });

  it('keeps the filters in the link to the next page', () => {
    const { markup } = renderScreen(findings({ ...view, next: 'n x', asked: { status: 'open', place: 'page:/a&b' } }));
    expect(markup).toContain('href="/app/findings?status=open&amp;place=page%3A%2Fa%26b&amp;cursor=n+x"');
  });

  it('shows untrusted names as plain text', () => {
    const evil = '"><script>window.hacked=1</script>';
    const { text, names } = renderScreen(
      findings({
        ...view,
        rows: [{ ...row, message: evil, place: `/products/${evil}` }],
        places: [{ place: `page:/products/${evil}`, count: 1 }],
      }),
    );
    expect(text).toContain(`${evil} /products/${evil}`);
    expect(text).toContain(`/products/${evil} (1)`);
    expect(names).not.toContain('script');
  });
});
