import { describe, expect, it } from 'vitest';
import { describeStates } from '../testing/describe-states.ts';
import { shown } from '../testing/shown.tsx';
import { findings, row, STATES, view } from './findings.states.tsx';

describeStates('the list', STATES);

describe('the list', () => {
  it('lets only open ones be chosen, each by its name', () => {
    expect(shown(findings(view)).markup).toContain('aria-label="Choose “Old tag”"');
    expect(shown(findings({ ...view, asked: { status: 'accepted' } })).markup).not.toContain('Choose');
  });

  it('counts only what is open: of others the numbers would be wrong', () => {
    expect(shown(findings({ ...view, asked: { status: 'fixed' } })).text).not.toContain('Old tag (2)');
  });

  it('keeps what was asked for on the next page and in the download', () => {
    const { markup } = shown(findings({ ...view, next: 'n x', asked: { status: 'open', place: 'page:/a&b' } }));
    expect(markup).toContain('href="/app/findings?status=open&amp;place=page%3A%2Fa%26b&amp;cursor=n+x"');
  });

  it('shows what strangers named as text', () => {
    const evil = '"><script>window.hacked=1</script>';
    const { text, names } = shown(
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
