import { describe, expect, it } from 'vitest';
import { describeStories } from '../testing/describe-stories.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { coverage, finding, page, STORIES, theme, view } from './scan.stories.tsx';
import { ScanScreen } from './scan.tsx';

describeStories('a scan', STORIES);

describe('a scan', () => {
  it('hides the comparison if there is no earlier scan', () => {
    const { text, names } = renderScreen(
      <ScanScreen {...view} against={null} appeared={[]} missing={[]} others={[]} />,
    );
    expect(text).not.toMatch(/New in this scan|Not seen in this scan|In both scans/);
    expect(names).not.toContain('select');
  });

  it('shows untrusted names as plain text', () => {
    const evil = '<img src=x onerror=window.hacked=1>';
    const { text, names } = renderScreen(
      <ScanScreen
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
