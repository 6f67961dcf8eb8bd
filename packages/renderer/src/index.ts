export { type ChromiumFiles, findChromium } from '@compliance/chromium';
export { type FenceLayers, LAYER_NAMES, layerNames } from './fence/layers.ts';
export { ISOLATING_LAYERS, missingIsolation, probeFence } from './fence/probe.ts';
export type { ProcessLimits, ProcessUse } from './fence/watch.ts';
export {
  IsolationMissing,
  openScanRenderer,
  type ScanRendererOptions,
  type ScanRendererService,
} from './process/scan-renderer.ts';
export { harOf } from './record/har.ts';
export type { RecordedRequest, RecordedResponse } from './record/visit-requests.ts';
export {
  defaultRenderLimits,
  type PageToRender,
  type Rendering,
  type RenderOptions,
  renderStorefront,
} from './visit/render-storefront.ts';
export type { StepScreenshot } from './visit/visit.ts';
