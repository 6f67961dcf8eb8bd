import { encode as encodePng } from 'fast-png';
import { zlibSync } from 'fflate';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { brandedRequest, completeRequest, sampleContext } from '../samples/requests.ts';
import { bytesOf } from './base64.ts';
import type { InvalidRequest } from './issues.ts';
import { readLogo, reencodeLogo } from './logo.ts';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const reencoded = (bytes: Uint8Array) => {
  const result = reencodeLogo(base64(bytes));
  return 'png' in result ? PNG.sync.read(Buffer.from(result.png, 'base64')) : result.problem;
};
const pixelsOf = (bytes: Uint8Array) => {
  const image = reencoded(bytes);
  if (typeof image === 'string') throw new Error(image);
  return Array.from({ length: image.width * image.height }, (_, at) => [...image.data.subarray(4 * at, 4 * at + 4)]);
};

const chunk = (type: string, data: Uint8Array) => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  return bytes;
};
const pngOf = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', new Uint8Array())]);
const header = (width: number, height: number, depth: number, colorType: number) => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = depth;
  data[9] = colorType;
  return chunk('IHDR', data);
};

/** Returns a generator of pseudorandom integers below a limit. */
const generator = () => {
  let state = 1;
  return (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
};

describe('re-encoding a logo', () => {
  it('preserves the pixels of every PNG color type and blends transparent pixels with white', () => {
    const rgba = encodePng({
      width: 3,
      height: 1,
      channels: 4,
      data: new Uint8Array([200, 0, 0, 255, 0, 0, 200, 128, 9, 9, 9, 0]),
    });
    expect(pixelsOf(rgba)).toEqual([
      [200, 0, 0, 255],
      [127, 127, 227, 255],
      [255, 255, 255, 255],
    ]);
    const gray = encodePng({ width: 2, height: 1, channels: 1, depth: 16, data: new Uint16Array([0, 65535]) });
    expect(pixelsOf(gray)).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
    const palette = pngOf(
      header(3, 1, 2, 3),
      chunk('PLTE', Uint8Array.from([255, 0, 0, 0, 255, 0, 0, 0, 255])),
      chunk('tRNS', Uint8Array.from([255, 0])),
      chunk('IDAT', zlibSync(Uint8Array.from([0, 0b00_01_10_00]))),
    );
    expect(pixelsOf(palette)).toEqual([
      [255, 0, 0, 255],
      [255, 255, 255, 255],
      [0, 0, 255, 255],
    ]);
  });

  it('preserves the pixels of a JPEG image', () => {
    const photo = jpeg.encode({ width: 16, height: 16, data: new Uint8Array(1024).fill(120) }, 100).data;
    const image = reencoded(photo);
    expect(typeof image === 'string' ? image : [image.width, image.height]).toEqual([16, 16]);
    for (const [red] of pixelsOf(photo)) expect(Math.abs(red! - 120)).toBeLessThan(4);
  });

  it('discards everything in an image except the pixels', () => {
    const plain = Buffer.from(encodePng({ width: 1, height: 1, channels: 3, data: new Uint8Array([1, 2, 3]) }));
    const secret = chunk('tEXt', Buffer.from('Comment\0<script>secret</script>'));
    const marked = Buffer.concat([plain.subarray(0, 33), secret, plain.subarray(33), Buffer.from('%PDF-1.7 secret')]);
    const result = reencodeLogo(base64(marked));
    expect(result).toEqual(reencodeLogo(base64(plain)));
    expect(Buffer.from((result as { png: string }).png, 'base64').includes('secret')).toBe(false);
  });

  it('doesn’t change an image that was already re-encoded', () => {
    const result = reencodeLogo(brandedRequest.logo.image) as { png: string };
    expect(reencodeLogo(result.png)).toEqual(result);
    expect(readLogo(result.png)).toMatchObject({ width: 48, height: 16 });
  });

  it('rejects other formats, large images, and damaged files, and returns a reason', () => {
    const of = (text: string) => reencodeLogo(Buffer.from(text, 'latin1').toString('base64'));
    expect(of('GIF89a\x01\x00\x01\x00')).toEqual({ problem: 'must be a PNG or JPEG image' });
    expect(of('<svg onload="alert(1)"/>')).toEqual({ problem: 'must be a PNG or JPEG image' });
    expect(reencodeLogo('not base64!')).toEqual({ problem: 'must be a Base64-encoded image file' });
    expect(reencoded(pngOf(header(100_000, 100_000, 8, 6)))).toBe('must be at most 800 pixels in width and height');
    expect(reencoded(pngOf(header(801, 1, 8, 0), chunk('IDAT', zlibSync(new Uint8Array(802)))))).toMatch(
      /^must be at most/,
    );
    expect(reencoded(pngOf(header(0, 0, 8, 2)))).toMatch(/valid/);
    expect(reencoded(pngOf(header(4, 4, 8, 2)))).toMatch(/valid/);
    expect(reencoded(pngOf(header(4, 4, 8, 2), chunk('IDAT', Buffer.from('garbage'))))).toMatch(/valid/);
    const photo = jpeg.encode({ width: 16, height: 16, data: new Uint8Array(1024) }, 90).data;
    expect(reencoded(photo.subarray(0, 60))).toMatch(/valid/);
    const random = generator();
    const noise = Uint8Array.from({ length: 700 * 700 * 3 }, () => random(256));
    expect(reencoded(encodePng({ width: 700, height: 700, channels: 3, data: noise }))).toBeTypeOf('string');
  });

  it('rejects a decompression bomb and a JPEG image with many scans quickly, and ignores a huge color profile', () => {
    const bomb = pngOf(header(8, 8, 8, 2), chunk('IDAT', zlibSync(new Uint8Array(100_000_000))));
    const profile = pngOf(
      header(1, 1, 8, 2),
      chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), zlibSync(new Uint8Array(50_000_000))])),
      chunk('IDAT', zlibSync(Uint8Array.from([0, 1, 2, 3]))),
    );
    const photo = Buffer.from(jpeg.encode({ width: 8, height: 8, data: new Uint8Array(256) }, 90).data);
    const scan = Buffer.from('ffda0008010100003f00', 'hex');
    expect(bomb.length).toBeLessThan(128 * 1024);
    const start = performance.now();
    expect(reencoded(bomb)).toMatch(/valid/);
    expect(pixelsOf(profile)).toEqual([[1, 2, 3, 255]]);
    expect(reencoded(Buffer.concat([photo.subarray(0, -2), ...Array(5000).fill(scan), photo.subarray(-2)]))).toMatch(
      /valid/,
    );
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('never throws an error, even if random bytes in a valid image are changed', () => {
    const seeds = [
      bytesOf(brandedRequest.logo.image)!,
      jpeg.encode({ width: 9, height: 9, data: new Uint8Array(324) }, 50).data,
    ];
    const random = generator();
    for (let round = 0; round < 400; round++) {
      const bytes = Uint8Array.from(seeds[round % 2]!);
      for (let change = 0; change < 3; change++) bytes[random(bytes.length)] = random(256);
      expect(Object.keys(reencodeLogo(base64(bytes)))).toHaveLength(1);
    }
  });
});

describe('a request with a logo', () => {
  it('contains only the re-encoded image after validation', () => {
    const { request, completeness } = certificate(brandedRequest, sampleContext);
    expect(completeness.status).toBe('complete');
    expect(request.logo!.image).not.toBe(brandedRequest.logo.image);
    expect(reencodeLogo(brandedRequest.logo.image)).toEqual({ png: request.logo!.image });
  });

  it('is rejected with the field path and a reason if the image can’t be read', () => {
    try {
      certificate({ ...completeRequest, logo: { image: 'R0lGODlhAQABAAAAACw=' } }, sampleContext);
      expect.unreachable();
    } catch (error) {
      expect((error as InvalidRequest).issues).toEqual([
        { path: 'logo.image', code: 'INVALID_IMAGE', message: 'must be a PNG or JPEG image' },
      ]);
    }
  });
});
