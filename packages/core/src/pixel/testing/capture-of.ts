import type { Capture } from '../capture.ts';

/** A capture around a piece of HTML, as a shop would have answered. */
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
