export { type ChromiumFiles, findChromium } from './browser/find-chromium.ts';
export type { FenceLayers } from './fence/layers.ts';
