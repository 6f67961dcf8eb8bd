import { describe, expect, it } from 'vitest';
import { readCalls } from './call-log.ts';
import { senderOf } from './initiator.ts';

const CALL = { queue: 'fbq', command: 'track', name: 'PageView', parameters: {}, framed: false, stack: [], age: 5 };
const read = (...calls: unknown[]) => readCalls(JSON.stringify(calls));
const at = (url: string, name = '', line = 3) => ({ url, line, column: 7, name });

describe('readCalls', () => {
  it('truncates calls and lists of calls that exceed the limits', () => {
    expect(read(CALL)).toEqual([CALL]);
    const long = {
      ...CALL,
      name: 'x'.repeat(5_000),
      parameters: { a: 'y'.repeat(5_000) },
      stack: Array(99).fill(at('https://a.example/')),
    };
    const [found] = read(long);
    expect([found!.name!.length, found!.parameters.a!.length, found!.stack.length]).toEqual([100, 100, 20]);
    expect(read(...Array(2_000).fill(CALL))).toHaveLength(500);
  });

  it('ignores invalid calls and invalid fields', () => {
    for (const value of [
      undefined,
      null,
      5,
      '',
      '{',
      '{}',
      '[null, 5, {}]',
      `[${JSON.stringify({ ...CALL, queue: 'other' })}]`,
    ])
      expect(readCalls(value)).toEqual([]);
    const stack = [
      { url: 5 },
      null,
      { ...at('https://a.example/'), line: -1 },
      { ...at('https://a.example/'), column: 0.5 },
    ];
    expect(read({ ...CALL, command: {}, age: 'soon', stack })).toEqual([{ ...CALL, command: null, age: 0 }]);
  });

  it('removes personal data from a call’s parameters', () => {
    const person = {
      ...{
        email: 'ana@shop.example',
        $phone_number: '5551234567',
        content_name: 'To ana@shop.example, +1 555 123 4567',
      },
      hash: 'a'.repeat(64),
    };
    expect(read({ ...CALL, parameters: person })[0]!.parameters).toEqual({ content_name: 'To [email], [phone]' });
    expect(read({ ...CALL, command: 'identify', parameters: { nickname: 'Ana' } })[0]!.parameters).toEqual({});
  });
});

describe('senderOf', () => {
  const PAGE = 'https://shop.example/';

  it('returns the most recent call outside vendor code and forwarding functions', () => {
    const stack = [
      at('https://connect.facebook.net/en_US/fbevents.js'),
      ...[at(PAGE, 'gtag', 2), at('https://shop.example/theme.js', 'addToCart', 40), at(PAGE, '', 90)],
    ];
    expect(senderOf(stack, PAGE)).toMatchObject({
      kind: 'page',
      url: 'https://shop.example/theme.js',
      line: 40,
      column: 7,
    });
    expect(senderOf([at(`${PAGE}#top`, '', 12)], PAGE)).toMatchObject({ kind: 'page', url: null, line: 12 });
    expect(senderOf([], PAGE)).toBeNull();
  });

  it('returns the container or web pixel that’s on the stack, if there is one', () => {
    const gtm = at('https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234');
    expect(senderOf([at(PAGE), gtm], PAGE)).toMatchObject({ kind: 'container', id: 'GTM-ABC1234' });
    const pixel = at('https://shop.example/web-pixels@0123abc/app/web-pixel-1@1/worker.modern.js');
    expect(senderOf([at(PAGE), pixel, gtm], PAGE)).toMatchObject({ kind: 'web_pixel' });
  });
});
