export { type ChromiumFiles, findChromium } from '@compliance/chromium';
export type { FenceLayers } from './fence/layers.ts';
export type { ProcessLimits, ProcessUse } from './fence/watch.ts';
export {
  defaultRenderLimits,
  type PageToRender,
  type Rendering,
  type RenderOptions,
  renderStorefront,
} from './visit/render-storefront.ts';
