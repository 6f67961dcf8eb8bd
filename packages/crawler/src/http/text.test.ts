import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePage, isHtml, mayBeScript, readKind } from './text.ts';

const utf16le = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('decodePage', () => {
  it('prefers the byte order mark over all other encoding declarations', () => {
    expect(decodePage(utf16le('<p>é'), 'utf-8').text).toBe('<p>é');
    expect(decodePage(utf16le('<p>é').swap16(), undefined).text).toBe('<p>é');
    expect(decodePage(Buffer.from('\ufeff<p>é'), 'windows-1252').text).toBe('<p>é');
  });

  it('falls back from the header’s encoding to the meta element’s encoding, and then to UTF-8', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    expect(decodePage(latin('<meta charset=utf-8>é'), 'iso-8859-1').text).toContain('é');
    expect(decodePage(latin('<meta charset=windows-1252>é'), undefined).text).toContain('é');
    expect(decodePage(Buffer.from('<p>é'), undefined)).toEqual({ text: '<p>é', encoding: 'UTF-8' });
  });

  it('never decodes a page as UTF-7, which can turn harmless text into tags', () => {
    const page = Buffer.from('+ADw-script+AD4-');
    expect(decodePage(page, 'utf-7').text).toBe('+ADw-script+AD4-');
    expect(decodePage(Buffer.from('<meta charset=utf-7>+ADw-'), undefined).text).toContain('+ADw-');
  });

  it('decodes a page that declares UTF-16 in a meta element as UTF-8, as browsers do', () => {
    expect(decodePage(Buffer.from('<meta charset=utf-16>é'), undefined).text).toContain('é');
  });

  it('replaces invalid bytes without throwing an error', () => {
    expect(decodePage(Buffer.from([0x3c, 0xff, 0x3e]), 'utf-8').text).toBe('<\ufffd>');
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.option(fc.oneof(fc.string(), fc.constantFrom('utf-16le', 'iso-2022-kr', 'x-user-defined', 'gb18030'))),
        (bytes, charset) => {
          expect(typeof decodePage(bytes, charset ?? undefined).text).toBe('string');
        },
      ),
    );
  });
});

describe('isHtml', () => {
  it.each(['text/html', 'TEXT/HTML; charset=x', 'application/xhtml+xml', 'text/html;;;='])(
    'accepts the content type %s',
    type => {
      expect(isHtml(readKind(type), '')).toBe(true);
    },
  );

  it.each([undefined, '', 'nonsense', '*', 'text/'])(
    'checks the body’s first character if the content type is %j',
    type => {
      expect(isHtml(readKind(type), ' \n<!doctype html>')).toBe(true);
      expect(isHtml(readKind(type), '%PDF-1.7')).toBe(false);
    },
  );

  it.each(['image/png', 'application/pdf', 'application/octet-stream', 'application/json', 'text/plain', 'text/xml'])(
    'rejects the content type %s, regardless of the body',
    type => expect(isHtml(readKind(type), '<!doctype html>')).toBe(false),
  );
});

it('rejects HTML, PDF files, and types that browsers refuse to run as scripts, and accepts JavaScript and plain text', () => {
  const may = (type?: string) => mayBeScript(readKind(type));
  expect(['text/javascript', 'application/x-javascript', 'text/plain', '', undefined].every(may)).toBe(true);
  expect(['image/png', 'video/mp4', 'text/csv', 'text/html; charset=utf-8', 'application/pdf'].some(may)).toBe(false);
});
