import { spent } from '@compliance/bench';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Container, ContainerTag } from '../model/container.ts';
import { type ContainerContents, containerSource } from '../testing/container-source.ts';
import { readContainer } from './read-container.ts';

function read(contents: ContainerContents): Container {
  const container = readContainer(containerSource(contents), 'GTM-ABC1234');
  if ('unreadable' in container) throw new Error(container.unreadable);
  return container;
}

const firstTag = (contents: ContainerContents): ContainerTag => read(contents).tags[0]!;
const EVENT = { function: '__e' };
const PAGE_VIEW = { function: '_eq', arg0: ['macro', 0], arg1: 'gtm.js' };

describe('readContainer', () => {
  it('returns a tag’s type, vendor, ID, event, and parameters', () => {
    const tag = firstTag({
      tags: [
        {
          function: '__gaawe',
          vtp_eventName: 'purchase',
          vtp_measurementIdOverride: 'G-ABC1234567',
          vtp_eventSettingsTable: ['list', ['map', 'parameter', 'currency', 'parameterValue', 'USD']],
          once_per_event: true,
          tag_id: 12,
        },
      ],
    });
    expect(tag).toMatchObject({
      number: 1,
      tagId: '12',
      type: 'GA4 event',
      vendor: 'google',
      ids: { values: ['G-ABC1234567'], exact: true },
      event: 'purchase',
      once: 'event',
      triggers: [{ kind: 'page_view', event: 'gtm.js', conditions: [] }],
    });
    expect(tag.parameters.currency).toBe('USD');
  });

  it('adds the missing prefix to a Google Ads conversion ID', () => {
    const tag = firstTag({ tags: [{ function: '__awct', vtp_conversionId: '123456789', vtp_conversionLabel: 'a' }] });
    expect(tag).toMatchObject({ ids: { values: ['AW-123456789'] }, event: 'conversion' });
  });

  it('resolves constants, nested constants, and text templates', () => {
    const macros = [
      EVENT,
      { function: '__c', vtp_value: ['macro', 2] },
      { function: '__c', vtp_value: ['template', 'G-', ['macro', 3]] },
      { function: '__c', vtp_value: 'ABC1234567' },
    ];
    const tag = firstTag({ macros, tags: [{ function: '__googtag', vtp_tagId: ['macro', 1] }] });
    expect(tag.ids).toEqual({ values: ['G-ABC1234567'], exact: true });
  });

  it('returns every ID in a lookup table and marks the IDs as inexact', () => {
    const rows = [
      ['map', 'key', 'de', 'value', 'G-AAAA000001'],
      ['map', 'key', 'fr', 'value', 'G-AAAA000002'],
    ];
    const table = {
      function: '__smm',
      vtp_map: ['list', ...rows],
      vtp_setDefaultValue: true,
      vtp_defaultValue: 'G-AAAA000003',
    };
    const tag = firstTag({ macros: [EVENT, table], tags: [{ function: '__googtag', vtp_tagId: ['macro', 1] }] });
    expect(tag.ids).toEqual({ values: ['G-AAAA000001', 'G-AAAA000002', 'G-AAAA000003'], exact: false });
  });

  it('lists the values that are known only at runtime', () => {
    const macros = [
      EVENT,
      { function: '__v', vtp_name: 'ecommerce.value' },
      { function: '__jsm', vtp_javascript: ['template', '(function(){return 1})();'] },
      { function: '__cvt_1_2' },
      { function: '__k', vtp_name: 'uid' },
    ];
    const tag = firstTag({
      macros,
      tags: [
        {
          function: '__gaawe',
          vtp_eventName: ['template', 'a-', ['macro', 2]],
          vtp_eventParameters: ['list', ['map', 'name', 'value', 'value', ['macro', 1]]],
          vtp_x: ['macro', 3],
          vtp_y: ['macro', 4],
        },
      ],
    });
    expect(tag.event).toBe('a-{{custom JavaScript}}');
    expect(tag.parameters.value).toBe('{{data layer: ecommerce.value}}');
    expect(tag.unknown).toEqual([
      'custom JavaScript',
      'data layer: ecommerce.value',
      'template cvt_1_2',
      'cookie: uid',
    ]);
  });

  it('describes a trigger’s conditions in words, including negated conditions', () => {
    const macros = [EVENT, { function: '__u', vtp_component: 'PATH' }, { function: '__v', vtp_name: 'price' }];
    const predicates = [
      { function: '_eq', arg0: ['macro', 0], arg1: 'add_to_cart' },
      { function: '_sw', arg0: ['macro', 1], arg1: '/products' },
      { function: '_gt', arg0: ['macro', 2], arg1: '0' },
    ];
    const rules = [
      [
        ['if', 0, 1],
        ['unless', 2],
        ['add', 0],
      ],
    ];
    const tag = firstTag({ macros, predicates, rules, tags: [{ function: '__html', vtp_html: '' }] });
    expect(tag.triggers).toEqual([
      {
        kind: 'custom_event',
        event: 'add_to_cart',
        conditions: [
          {
            text: 'Page Path starts with /products',
            negated: false,
            page: { part: 'path', operator: 'starts with', value: '/products' },
          },
          { text: 'data layer: price is greater than 0', negated: true, page: null },
        ],
      },
    ]);
  });

  it('returns a blocking rule as an exception', () => {
    const predicates = [PAGE_VIEW, { function: '_eq', arg0: ['macro', 0], arg1: 'opt_out' }];
    const rules = [
      [
        ['if', 0],
        ['add', 0],
      ],
      [
        ['if', 1],
        ['block', 0],
      ],
    ];
    const tag = firstTag({ predicates, rules, tags: [{ function: '__html', vtp_html: '' }] });
    expect(tag.triggers.map(t => t.kind)).toEqual(['page_view']);
    expect(tag.exceptions).toEqual([{ kind: 'custom_event', event: 'opt_out', conditions: [] }]);
  });

  it('returns the tags that run a setup tag if the setup tag has no trigger', () => {
    const tags = [
      { function: '__html', vtp_html: '' },
      { function: '__html', vtp_html: '', setup_tags: ['list', ['tag', 0, 0]] },
    ];
    const rules = [
      [
        ['if', 0],
        ['add', 1],
      ],
    ];
    expect(firstTag({ tags, rules })).toMatchObject({ triggers: [], sequencedBy: [2] });
  });

  it('keeps a paused tag’s original type', () => {
    expect(firstTag({ tags: [{ function: '__paused', vtp_originalTagType: 'ua' }] })).toMatchObject({
      paused: true,
      type: 'Universal Analytics',
      ids: { values: [] },
    });
  });

  it.each([
    ['no consent settings', undefined, null],
    ['no additional consent', ['list'], []],
    ['two consent types', ['list', 'ad_storage', 'ad_user_data'], ['ad_storage', 'ad_user_data']],
  ])('returns the consent types that a tag requires: %s', (_name, consent, expected) => {
    const tag = { function: '__html', vtp_html: '', ...(consent && { consent }) };
    expect(firstTag({ tags: [tag] }).consent).toEqual(expected);
  });

  it('returns a custom HTML tag’s markup and replaces runtime values in scripts with function calls', () => {
    const macros = [EVENT, { function: '__c', vtp_value: `a"b'</script>` }, { function: '__v', vtp_name: 'total' }];
    const html = [
      'template',
      '<script type="text/gtmscript" data-gtmsrc="https://x.example/a.js"></script><script>f("',
      ['escape', ['macro', 1], 7],
      '",',
      ['escape', ['macro', 2], 8, 16],
      ',"',
      ['escape', ['macro', 2], 7],
      '")</script>',
    ];
    expect(firstTag({ macros, tags: [{ function: '__html', vtp_html: html }] }).html).toBe(
      `<script  src="https://x.example/a.js"></script><script>f("a\\"b\\'\\x3c/script>",google_tag_manager["GTM-ABC1234"].macro(2),"\\u0000")</script>`,
    );
  });

  it('identifies a template’s vendor from the libraries that the template can load, and its IDs and event from parameter names', () => {
    const tag = {
      function: '__cvt_5_6',
      vtp_pixelId: '123456789012345,123456789012346',
      vtp_eventName: 'standard',
      vtp_standardEventName: 'Purchase',
    };
    const permissions = {
      __cvt_5_6: {
        inject_script: { urls: ['https://connect.facebook.net/en_US/fbevents.js'] },
        access_consent: { consentTypes: [{ consentType: 'ad_storage', read: true, write: true }] },
      },
    };
    expect(firstTag({ tags: [tag], permissions })).toMatchObject({
      type: 'Community template',
      template: true,
      vendor: 'meta',
      ids: { values: ['123456789012345', '123456789012346'], exact: true },
      event: 'Purchase',
      setsConsent: true,
    });
  });

  it('lists templates and server container URLs', () => {
    const config = [
      'list',
      ['map', 'parameter', 'server_container_url', 'parameterValue', 'https://sgtm.shop.example'],
    ];
    const container = read({
      tags: [{ function: '__googtag', vtp_tagId: 'G-ABC1234567', vtp_configSettingsTable: config }],
      runtime: [[50, '__cvt_1_2', []]],
    });
    expect(container.templates).toEqual(['__cvt_1_2']);
    expect(container.serverUrls).toEqual(['https://sgtm.shop.example']);
  });

  it('uses the ID in the file if the URL has no ID', () => {
    const source = containerSource({}).replace('var library;', 'var o={ctid:"GTM-XYZ9876",b:1};');
    expect(readContainer(source)).toMatchObject({ id: 'GTM-XYZ9876' });
    expect(readContainer(containerSource({}))).toMatchObject({ id: null });
  });

  it.each([
    ['an ordinary script', 'var data = [1];', 'the file has no container configuration'],
    ['a file that ends early', containerSource({}).slice(0, 80), 'the configuration is incomplete'],
    ['a configuration that contains code', 'var data = {"resource": a()};', "the configuration isn't valid JSON"],
    [
      'a configuration that is a list',
      'var data = {"resource": []};',
      'the configuration doesn’t contain a resource object',
    ],
    [
      'a container with too many variables',
      containerSource({ macros: Array.from({ length: 5_001 }, () => EVENT) }),
      'the configuration has too many entries',
    ],
  ])('returns the reason why it can’t read %s', (_name, source, unreadable) => {
    expect(readContainer(source)).toEqual({ unreadable });
  });

  it('terminates even if variables refer to themselves or to each other', () => {
    const macros = [
      EVENT,
      { function: '__c', vtp_value: ['macro', 1] },
      { function: '__c', vtp_value: ['template', ['macro', 3], 'x'] },
      { function: '__smm', vtp_map: ['list', ['map', 'key', 'a', 'value', ['macro', 2]]] },
    ];
    for (const macro of [1, 2, 3])
      expect(firstTag({ macros, tags: [{ function: '__googtag', vtp_tagId: ['macro', macro] }] }).ids).toEqual({
        values: [],
        exact: false,
      });
  });

  it('ignores property names that would access an object’s prototype', () => {
    const tag = firstTag({
      tags: [
        JSON.parse('{"function":"constructor","vtp___proto__":"a","__proto__":{"vtp_x":1},"vtp_constructor":"b"}'),
        { function: '__proto__' },
      ],
      permissions: JSON.parse('{"__proto__":{"__cvt_1":{"access_consent":{}}}}'),
    });
    expect(Object.entries(tag.parameters)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(({} as Record<string, unknown>).vtp_x).toBeUndefined();
  });

  const growing = [EVENT, { function: '__c', vtp_value: 'x'.repeat(300) }];
  for (let i = 1; i < 40; i++)
    growing.push({ function: '__c', vtp_value: ['template', ['macro', i], ['macro', i]] } as never);
  const hostile: readonly [string, ContainerContents][] = [
    ['variables that double in length', { macros: growing, tags: [{ function: '__html', vtp_html: ['macro', 39] }] }],
    [
      'many long templates that repeat one long variable',
      {
        macros: [
          EVENT,
          { function: '__smm', vtp_map: ['list', ...Array(900).fill(['map', 'value', 'y'.repeat(300)])] },
        ],
        tags: Array.from({ length: 4_000 }, () => ({
          function: '__html',
          vtp_html: ['template', ...Array(50).fill(['escape', ['macro', 1], 8])],
        })),
      },
    ],
    [
      'rules that add every tag',
      {
        tags: Array.from({ length: 5_000 }, () => ({ function: '__html' })),
        rules: Array.from({ length: 200 }, () => [
          ['if', 0],
          ['add', ...Array(5_000).keys()],
        ]),
      },
    ],
  ];
  it.each(hostile)('reads %s quickly and limits the size of the result', async (_name, contents) => {
    const source = containerSource(contents);
    expect(await spent(() => readContainer(source))).toBeLessThan(2_000);
    expect(JSON.stringify(readContainer(source)).length).toBeLessThan(60_000_000);
  });

  it('reads deeply nested values without overflowing the stack', () => {
    const nested = `${'["template",'.repeat(100_000)}"a"${']'.repeat(100_000)}`;
    const source = containerSource({ tags: [{ function: '__html', vtp_html: 'NESTED', vtp_url: 'NESTED' }] });
    expect(readContainer(source.replaceAll('"NESTED"', nested))).toMatchObject({ tags: [{ html: '' }] });
  });

  it.each([
    ...['var ', 'var data = ', 'var data = {"resource":', '"\\\\', '[', 'ctid:"'].map(
      text => (n: number) => `var data = {"resource":{}};${text.repeat(n / text.length)}`,
    ),
    (n: number) => `var data = {"resource":${'['.repeat(n)}`,
    (n: number) => `var data = {"resource":${'['.repeat(n / 2)}${']'.repeat(n / 2)}}`,
  ])('runs in linear time on malicious text that starts like a container (shape %#)', async shape => {
    const source = shape(2_000_000);
    expect(await spent(() => readContainer(source))).toBeLessThan(1_000);
  });

  it('returns the same result for the same JSON and never throws an error', () => {
    const value = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ maxLength: 8 }),
        fc.integer({ min: -1, max: 6 }),
        fc.constantFrom(null, true, 'gtm.js', 'G-ABC1234567'),
        fc.tuple(fc.constant('macro'), fc.integer({ min: -1, max: 5 })),
        fc.array(tie('value'), { maxLength: 4 }).map(all => ['template', ...all]),
        fc.array(tie('value'), { maxLength: 4 }).map(all => ['list', ...all]),
        fc.array(tie('value'), { maxLength: 4 }).map(all => ['map', ...all]),
        fc.tuple(fc.constant('escape'), tie('value'), fc.constantFrom(3, 7, 8, 12)),
      ),
    })).value;
    const key = fc.constantFrom(
      'vtp_value',
      'vtp_map',
      'vtp_html',
      'vtp_tagId',
      'vtp_pixelId',
      'setup_tags',
      'consent',
      '__proto__',
      'arg0',
      'arg1',
      'vtp_gaSettings',
      'vtp_component',
    );
    const code = fc.constantFrom(
      '__c',
      '__smm',
      '__e',
      '__u',
      '__v',
      '__html',
      '__googtag',
      '__ua',
      '__paused',
      '__cvt_1',
      '_eq',
      '_re',
      'constructor',
    );
    const item = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.tuple(code, fc.dictionary(key, value)).map(([name, rest]) => ({ ...rest, function: name })),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const list = fc.array(item as fc.Arbitrary<object>, { maxLength: 6 });
    const clause = fc.tuple(
      fc.constantFrom('if', 'unless', 'add', 'block'),
      fc.array(fc.integer({ min: -1, max: 6 }), { maxLength: 3 }),
    );
    const rules = fc.array(
      fc.array(
        clause.map(([name, rest]) => [name, ...rest]),
        { maxLength: 3 },
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.record({ macros: list, tags: list, predicates: list, rules }), contents => {
        const source = containerSource(contents);
        const container = readContainer(source);
        expect(JSON.stringify(readContainer(source))).toBe(JSON.stringify(container));
        if ('unreadable' in container) throw new Error(container.unreadable);
        for (const tag of container.tags) {
          expect(tag.number).toBeGreaterThan(0);
          for (const text of Object.values(tag.parameters)) expect(text.length).toBeLessThanOrEqual(300);
          if (tag.ids.exact) expect(tag.ids.values.length).toBeLessThanOrEqual(20);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
