import { describe, expect, it } from 'vitest';
import { describeStates } from '../testing/describe-states.ts';
import { shown } from '../testing/shown.tsx';
import { coverage, finding, page, STATES, theme, view } from './scan.states.tsx';
import { Scan } from './scan.tsx';

describeStates('a scan', STATES);

describe('a scan', () => {
  it('without another to compare with says nothing of what is new or gone', () => {
    const { text, names } = shown(<Scan {...view} against={null} appeared={[]} missing={[]} others={[]} />);
    expect(text).not.toMatch(/New in this scan|Not seen in this scan|In both/);
    expect(names).not.toContain('select');
  });

  it('shows what strangers named as text', () => {
    const evil = '<img src=x onerror=window.hacked=1>';
    const { text, names } = shown(
      <Scan
        {...view}
        appeared={[{ ...finding('a', evil), message: evil }]}
        coverage={{
          ...coverage,
          pages: [page({ path: `/${evil}` })],
          theme: { ...theme, theme: { id: '7', name: evil }, notRead: [{ name: evil, reason: 'failed' }] },
          unseen: [{ what: 'pixel_sandbox', names: [evil] }],
        }}
      />,
    );
    expect(text.split(evil).length - 1).toBe(6);
    expect(names).not.toContain('img');
  });
});
