import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { readBeacons } from '../beacons/read-beacons.ts';
import { joinRendering } from '../rendered/join.ts';
import type { PhaseRecord, RenderedPage } from '../rendered/rendered-page.ts';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { TODAY } from '../testing/fixtures.ts';
import { renderedHtmlReport } from './rendered-html-report.ts';

const ID = '918273645546372';
const DUPLICATE = `<script>var Shopify = {}; Shopify.shop = 'x.myshopify.com';</script>
<script>fbq('init','${ID}');fbq('init','${ID}');fbq('track','PageView')</script>`;

function rendered(event: string): RenderedPage {
  const phases = (['load', 'deny', 'accept'] as const).map(
    (phase): PhaseRecord => ({
      ...{
        phase,
        step: 'page',
        url: 'https://shop.example/',
        decision: phase === 'load' ? null : 'banner',
        requests: 1,
      },
      ...{
        banner: phase === 'load' ? null : 'onetrust',
        skipped: null,
        complete: true,
        cookies: [{ name: '_fbp', domain: '.shop.example' }],
        storage: ['lastExternalReferrer'],
      },
    }),
  );
  const url = `https://www.facebook.com/tr/?id=${ID}&ev=${encodeURIComponent(event)}&cd[value]=12&cd[content_name]=Gift+for+ana@shop.example&cd[email]=x`;
  const beacons = readBeacons({ url, body: null }).map(beacon => ({
    ...{ ...beacon, phase: 'load' as const, step: 'page' as const, ms: 340, view: 1, intercepted: true },
    initiator: { kind: 'container' as const, url: null, id: 'GTM-ABC1234', line: 7, column: 3 },
  }));
  const skipped: PhaseRecord = { ...phases[2]!, step: 'cart', skipped: 'robots' };
  const page = { url: 'https://shop.example/', phases: [...phases, skipped], beacons, calls: [], failures: [] };
  return { ...page, stubbed: false, cut: null };
}

const reportOf = (page: RenderedPage) => {
  const result = scan(captureOf(DUPLICATE), TODAY);
  const pictures = [{ phase: 'load' as const, step: 'page' as const, png: 'iVBORw0K' }];
  return renderedHtmlReport(result, joinRendering(result, page), page, pictures, TODAY.asOf);
};

describe('the report for a rendered scan', () => {
  it('shows each step with its screenshot and events, and lists refuted findings separately', () => {
    const text = reportOf(rendered('PageView'));
    expect(text).toContain('<h3>Before consent</h3>');
    expect(text).toContain('src="data:image/png;base64,iVBORw0K"');
    expect(text).toMatch(/0\.3 s<\/span> <strong>Meta<\/strong> PageView\s+<span class="tag error">without consent/);
    expect(text).toContain(`${ID}, from container GTM-ABC1234, value: 12, content_name: Gift for [email]</span>`);
    expect(text).not.toContain('ana@');
    expect(text).toContain('<summary>Cookies: 1</summary><p class="soft">_fbp (.shop.example)</p>');
    expect(text).toContain('<summary>Browser storage: 1</summary><p class="soft">lastExternalReferrer</p>');
    expect(text).toMatch(
      /<h3>Event sent before the visitor accepted or declined tracking<\/h3><span class="tag info">Note<\/span><\/header>[\s\S]+?<dt>Fix<\/dt><dd>If your visitors’ region requires consent[\s\S]+?<dt>Location<\/dt><dd>container GTM-ABC1234, line 7, column 3<\/dd>/,
    );
    expect(text).toContain('in the onetrust banner');
    expect(text).toContain('After accepting, cart</h3><span class="soft">skipped: not allowed by robots.txt');
    expect(text).toMatch(
      /<h2>Not covered by this scan<\/h2>\s*<ul><li>These steps weren’t recorded, because robots\.txt disallows them: cart\./,
    );
    expect(text).not.toContain('effect of a choice');
    const [before, after] = text.split('<h2>Refuted in the browser</h2>');
    expect(before).not.toContain('is initialized 2 times');
    expect(after).toContain('is initialized 2 times');
    expect(text).not.toContain('<dd>meta_pixel_duplicate_init</dd>');
    expect(text).toContain('<dt>Confirmed</dt>');
  });

  it('states that the effect of a consent choice wasn’t recorded if no banner was recognized', () => {
    const page = rendered('PageView');
    const phases = page.phases.map(each => ({
      ...each,
      decision: each.decision && ('none' as const),
      complete: false,
    }));
    const text = reportOf({ ...page, phases });
    expect(text).toContain('The effect of a consent choice wasn’t recorded');
    expect(text).toContain('failed to load or was still sending requests: page.');
  });

  it('escapes hostile event names and allows no scripts or requests', () => {
    const text = reportOf(rendered('"><img src=x onerror=alert(1)><script>alert(2)</script>'));
    const names: string[] = [];
    const visit = (node: { nodeName: string; childNodes?: never[] }) => {
      names.push(node.nodeName);
      for (const child of node.childNodes ?? []) visit(child);
    };
    visit(parse(text) as never);
    expect(names).not.toContain('script');
    expect(names.filter(name => name === 'img')).toHaveLength(1);
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
  });
});
