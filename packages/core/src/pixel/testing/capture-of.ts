import type { Capture } from '../model/capture.ts';

/** Returns a capture of the HTML as if a shop had served it. */
export const captureOf = (html: string, more: Partial<Capture> = {}): Capture => ({
  url: 'https://shop.example/',
  finalUrl: 'https://shop.example/',
  status: 200,
  headers: {},
  html,
  scripts: [],
  truncated: false,
  notes: [],
  ...more,
});
