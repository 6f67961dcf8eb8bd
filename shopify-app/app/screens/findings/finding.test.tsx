import { describe, expect, it } from 'vitest';
import { describeStates } from '../testing/describe-states.ts';
import { expectSound, LANGUAGES, shown } from '../testing/shown.tsx';
import { acceptance, finding, STATES, view } from './finding.states.tsx';

describeStates('a finding', STATES);

describe('a finding', () => {
  it('can be accepted while it is open and not accepted', () => {
    const form = 'Why it may stay';
    expect(shown(finding(view)).text).toContain(form);
    expect(shown(finding({ ...view, accepted: true, acceptance })).text).not.toContain(form);
    expect(shown(finding({ ...view, status: 'fixed' })).text).not.toContain(form);
  });

  it.each([
    ['reason', 'reason_missing', 'Say why, so that others understand it later.'],
    ['reason', 'reason_too_long', 'Use at most 500 characters.'],
    ['until', 'until_invalid', 'Give a date, or leave this empty.'],
    ['until', 'until_past', 'Give a day that is still to come.'],
  ])('says at the field %s what is wrong: %s', (field, fault, sentence) => {
    for (const language of LANGUAGES) expectSound(shown(finding(view, { [field]: fault }), language));
    const { text, markup } = shown(finding(view, { [field]: fault }));
    expect(text).toContain(sentence);
    expect(markup.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it('shows names of code as code, and a lone backtick as it is', () => {
    const { markup, text } = shown(finding({ ...view, what: 'Calls `ga()` twice.', why: 'A ` alone.' }));
    expect(markup).toContain('Calls <code>ga()</code> twice.');
    expect(text).toContain('A ` alone.');
  });

  it('leads out of the frame to the editor, and to pages in a tab of their own', () => {
    const { markup } = shown(finding(view));
    expect(markup.match(/<a [^>]*themes\/7[^>]*>/g)!.every(link => link.includes('target="_top"'))).toBe(true);
    expect(markup).toMatch(
      /<a [^>]*target="_blank" href="https:\/\/shop\.example\/products\/mug" rel="noopener noreferrer"/,
    );
  });

  it('shows the code of a store as text', () => {
    const evil = '<script>window.hacked=1</script><img src=x onerror=hacked()>';
    const { text, names } = shown(
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
