import { decode as decodePng, encode as encodePng } from 'fast-png';
import { Unzlib } from 'fflate';
import jpeg from 'jpeg-js';
import { base64Of, bytesOf } from './base64.ts';

/**
 * Maximum size of an uploaded image, in bytes. Most API requests are limited to 256 KiB, and base64 encoding increases
 * the size by a third.
 */
const MOST_BYTES = 128 * 1024;
/**
 * Maximum width and height, in pixels. The logo is printed at most 112 points wide, so 800 pixels amount to more than
 * 500 pixels per inch.
 */
const MOST_PIXELS = 800;
/**
 * Maximum size of the re-encoded image, in bytes. This limit exceeds `MOST_BYTES`, because photographs don't compress
 * well as PNG.
 */
const MOST_STORED_BYTES = 384 * 1024;
/**
 * Maximum number of scans in a progressive JPEG. Decoding a scan of a few bytes can take as long as decoding a whole
 * image.
 */
const MOST_SCANS = 16;

/** A re-encoded image as base64, or the reason that an image was rejected. */
export type LogoResult = { png: string } | { problem: string };

interface Pixels {
  width: number;
  height: number;
  /** Red, green, and blue, one byte each. */
  rgb: Uint8Array;
}

/**
 * Decodes a PNG or JPEG image and encodes its pixels as an opaque RGB PNG without metadata. Transparent pixels are
 * blended with white. Checks the dimensions before decoding the pixels, and limits the decompressed size.
 *
 * @param base64 the image file in base64.
 * @example reencodeLogo('R0lGODlhAQABAAAAACw=') // { problem: 'must be a PNG or JPEG image' }
 */
export function reencodeLogo(base64: string): LogoResult {
  if (base64.length > Math.ceil(MOST_STORED_BYTES / 3) * 4) return { problem: 'is too large' };
  const bytes = bytesOf(base64);
  if (!bytes) return { problem: 'must be a Base64-encoded image file' };
  const isPng = startsWith(bytes, PNG_SIGNATURE);
  if (!isPng && !startsWith(bytes, [0xff, 0xd8, 0xff])) return { problem: 'must be a PNG or JPEG image' };
  const size = isPng ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (!size) return { problem: 'must be a valid PNG or JPEG image' };
  if (size.width > MOST_PIXELS || size.height > MOST_PIXELS) {
    return { problem: `must be at most ${MOST_PIXELS} pixels in width and height` };
  }
  let pixels: Pixels | null = null;
  try {
    pixels = isPng ? readPng(bytes) : readJpeg(bytes);
  } catch {
    // The libraries throw many kinds of errors for damaged files.
  }
  if (!pixels) return { problem: 'must be a valid PNG or JPEG image' };
  const png = encodePng({ width: pixels.width, height: pixels.height, data: pixels.rgb, channels: 3, depth: 8 });
  // Allow a larger file if it's exactly a re-encoded image, so that a stored request can be submitted again.
  if (bytes.length > MOST_BYTES && !sameBytes(png, bytes)) {
    return { problem: `must be at most ${MOST_BYTES / 1024} KiB` };
  }
  return png.length > MOST_STORED_BYTES
    ? { problem: 'has too much detail; use a smaller image or fewer colors' }
    : { png: base64Of(png) };
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte);
const sameBytes = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at]);
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Chunk {
  type: string;
  /** The whole PNG chunk, including the length, type, and checksum. */
  bytes: Uint8Array;
  data: Uint8Array;
}

function* chunksOf(png: Uint8Array): Iterable<Chunk> {
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + viewOf(png).getUint32(at);
    const bytes = png.subarray(at, end);
    yield { type: String.fromCharCode(...bytes.subarray(4, 8)), bytes, data: bytes.subarray(8, -4) };
    at = end;
  }
}

function sizeOfPng(bytes: Uint8Array): { width: number; height: number } | null {
  const [header] = chunksOf(bytes);
  if (header?.type !== 'IHDR' || header.data.length !== 13) return null;
  const data = viewOf(header.data);
  return { width: data.getUint32(0), height: data.getUint32(4) };
}

/** Samples per pixel for each PNG color type. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(bytes: Uint8Array): Pixels | null {
  // Other chunks, such as color profiles and text, are dropped before decoding, because they can be compressed, too.
  const chunks = [...chunksOf(bytes)].filter(({ type }) => /^(?:IHDR|PLTE|tRNS|IDAT|IEND)$/.test(type));
  const header = chunks[0]!.data;
  const { width, height } = sizeOfPng(bytes)!;
  const samples = SAMPLES[header[9]!];
  if (!samples) return null;
  // Interlaced images have partially filled bytes and up to seven extra filter bytes for every eight rows.
  const most = 2 * height * (Math.ceil((width * samples * header[8]!) / 8) + 1) + 64;
  if (!inflatesTo(chunks, most)) return null;
  const { data, depth, channels, palette } = decodePng(
    joined([new Uint8Array(PNG_SIGNATURE), ...chunks.map(one => one.bytes)]),
  );
  const rgb = new Uint8Array(3 * width * height);
  const scale = 255 / (2 ** depth - 1);
  const perRow = depth < 8 ? Math.ceil((width * depth) / 8) : width * channels;
  const sample = (x: number, y: number, channel: number) => {
    if (depth >= 8) return data[y * perRow + x * channels + channel]!;
    return (data[y * perRow + ((x * depth) >> 3)]! >> (8 - depth - ((x * depth) & 7))) & (2 ** depth - 1);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let color: readonly number[];
      let alpha = 1;
      if (palette) {
        const entry = palette[sample(x, y, 0)];
        if (!entry) return null;
        color = entry;
        alpha = (entry[3] ?? 255) / 255;
      } else {
        const gray = channels < 3;
        color = [0, 1, 2].map(channel => sample(x, y, gray ? 0 : channel) * scale);
        if (channels === 2 || channels === 4) alpha = (sample(x, y, channels - 1) * scale) / 255;
      }
      for (let channel = 0; channel < 3; channel++) {
        rgb[3 * (y * width + x) + channel] = Math.round(255 + alpha * (color[channel]! - 255));
      }
    }
  }
  return { width, height, rgb };
}

/** Returns whether the compressed pixels inflate to at most `most` bytes. */
function inflatesTo(chunks: readonly Chunk[], most: number): boolean {
  let size = 0;
  const inflate = new Unzlib(part => {
    size += part.length;
  });
  const data = joined(chunks.filter(({ type }) => type === 'IDAT').map(one => one.data));
  const step = 512;
  for (let at = 0; at < data.length && size <= most; at += step) {
    inflate.push(data.slice(at, at + step), at + step >= data.length);
  }
  return size > 0 && size <= most;
}

function sizeOfJpeg(bytes: Uint8Array): { width: number; height: number } | null {
  let size: { width: number; height: number } | null = null;
  let scans = 0;
  const data = viewOf(bytes);
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) {
      at++;
      continue;
    }
    const marker = bytes[at + 1]!;
    // Fill bytes, escaped data, and restart markers don't have a length field.
    if (marker === 0xff) at++;
    else if (marker === 0x00 || (marker >= 0xd0 && marker <= 0xd9)) at += 2;
    else {
      // Start of a baseline, extended, or progressive frame.
      if (marker >= 0xc0 && marker <= 0xc2) {
        if (size) return null;
        size = { width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
      }
      if (marker === 0xda && ++scans > MOST_SCANS) return null;
      at += 2 + data.getUint16(at + 2);
    }
  }
  return size && size.width > 0 && size.height > 0 ? size : null;
}

function readJpeg(bytes: Uint8Array): Pixels | null {
  const options = { useTArray: true, formatAsRGBA: false, tolerantDecoding: false } as const;
  const { width, height, data } = jpeg.decode(bytes, { ...options, maxResolutionInMP: 1, maxMemoryUsageInMB: 64 });
  return data.length === 3 * width * height ? { width, height, rgb: data } : null;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The dimensions and compressed pixel data of an image from {@link reencodeLogo}. */
export interface StoredLogo {
  width: number;
  height: number;
  /** zlib-compressed RGB rows with PNG filters. This data can be embedded in a PDF image unchanged. */
  pixels: Uint8Array;
}

/**
 * Reads an image from {@link reencodeLogo} without decoding its pixels.
 *
 * @throws RangeError if the image isn't from {@link reencodeLogo}.
 */
export function readLogo(base64: string): StoredLogo {
  const bytes = bytesOf(base64);
  const size = bytes && startsWith(bytes, PNG_SIGNATURE) ? sizeOfPng(bytes) : null;
  if (!bytes || !size) throw new RangeError('the logo must be a re-encoded PNG image');
  const chunks = [...chunksOf(bytes)].filter(({ type }) => type === 'IDAT');
  return { ...size, pixels: joined(chunks.map(({ data }) => data)) };
}
