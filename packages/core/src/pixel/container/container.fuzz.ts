import type { FuzzTarget } from '@compliance/fuzz';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { readContainer } from './read-container.ts';

const URL = 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234';
const PAGE = `<html><head><script async src="${URL}"></script></head><body></body></html>`;
const OPTIONS = { asOf: '2026-11-21' };

const SEED = {
  resource: {
    version: '7',
    macros: [
      { function: '__e' },
      { function: '__c', vtp_value: 'G-ABC1234567' },
      { function: '__u', vtp_component: 'PATH' },
      { function: '__v', vtp_name: 'ecommerce.value' },
      {
        function: '__smm',
        vtp_input: ['macro', 2],
        vtp_map: ['list', ['map', 'key', 'a', 'value', 'UA-1234567-1']],
        vtp_setDefaultValue: true,
        vtp_defaultValue: ['template', 'UA-', ['macro', 1]],
      },
      { function: '__gas', vtp_trackingId: ['macro', 4] },
    ],
    tags: [
      { function: '__googtag', vtp_tagId: ['macro', 1], tag_id: 3, once_per_load: true },
      {
        function: '__gaawe',
        vtp_eventName: 'purchase',
        vtp_measurementIdOverride: ['macro', 1],
        vtp_eventSettingsTable: ['list', ['map', 'parameter', 'value', 'parameterValue', ['macro', 3]]],
        consent: ['list', 'ad_storage'],
      },
      { function: '__ua', vtp_gaSettings: ['macro', 5], vtp_trackType: 'TRACK_EVENT', vtp_eventAction: 'a' },
      {
        function: '__html',
        setup_tags: ['list', ['tag', 0, 0]],
        vtp_html: [
          'template',
          '<script type="text/gtmscript">fbq("init","123456789012345");fbq("track","Purchase",{value:',
          ['escape', ['macro', 3], 8, 16],
          '})</script>',
        ],
      },
      { function: '__img', vtp_url: 'https://www.facebook.com/tr?id=123456789012345&ev=PageView' },
      { function: '__paused', vtp_originalTagType: 'html' },
      { function: '__cvt_1_2', vtp_pixelId: '123456789012345', vtp_eventName: 'Lead' },
    ],
    predicates: [
      { function: '_eq', arg0: ['macro', 0], arg1: 'gtm.js' },
      { function: '_sw', arg0: ['macro', 2], arg1: '/cart' },
      { function: '_eq', arg0: ['macro', 0], arg1: 'purchase' },
    ],
    rules: [
      [
        ['if', 0],
        ['add', 0, 2, 4],
      ],
      [
        ['if', 2],
        ['unless', 1],
        ['add', 1, 3, 6],
        ['block', 5],
      ],
    ],
  },
  runtime: [[50, '__cvt_1_2', []]],
  permissions: { __cvt_1_2: { inject_script: { urls: ['https://connect.facebook.net/en_US/fbevents.js'] } } },
  blob: { '5': 'GTM-ABC1234' },
};

/**
 * Fuzz target for `readContainer`. The input is a container's configuration or a JSON string that contains the source
 * of an entire file.
 */
export default {
  covers: ['packages/core/src/pixel/container/', 'packages/core/src/pixel/observations/'],
  seeds: [JSON.stringify(SEED), JSON.stringify(`var data = ${JSON.stringify(SEED)};\nvar o={ctid:"GTM-ABC1234"};`)],
  words: ['macro', 'template', 'escape', 'list', 'map', 'tag', 'if', 'unless', 'add', 'block', '__proto__', 'vtp_'],
  shape: 'json',
  maxLength: 6_000,
  holds(input) {
    const json: unknown = JSON.parse(input);
    const source = typeof json === 'string' ? json : `var data = ${input.trimStart()};`;
    const container = readContainer(source);
    if (JSON.stringify(readContainer(source)) !== JSON.stringify(container))
      throw new Error('reads one container in two ways');
    if (!('unreadable' in container)) {
      const tags = new Set(container.tags.map(tag => tag.number));
      if (tags.size !== container.tags.length) throw new Error('two tags have the same number');
      for (const { parameters, html } of container.tags) {
        if (Object.values(parameters).some(text => text.length > 300)) throw new Error('parameter is too long');
        if (html !== null && html.length > 65_536) throw new Error('markup is too long');
      }
    }
    const capture = captureOf(PAGE, { scripts: [{ url: URL, status: 200, body: source }] });
    const result = scan(capture, OPTIONS);
    if (JSON.stringify(scan(capture, OPTIONS)) !== JSON.stringify(result))
      throw new Error('two scans of one container differ');
    if ('unreadable' in container) {
      const unread = scan(captureOf(PAGE), OPTIONS);
      if (JSON.stringify(result.inventory.tags) !== JSON.stringify(unread.inventory.tags))
        throw new Error('an unreadable container changes the inventory');
    }
  },
} satisfies FuzzTarget;
