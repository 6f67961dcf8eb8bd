import { inspectKernelIsolation } from '@compliance/crawler/pool';
import { ISOLATE_BROWSER, loadRenderer } from '../rendering.ts';
import type { CheckResult } from './check-result.ts';

/**
 * Starts a browser as the service does, but without loading a page from the network, and lists the browser's active and
 * missing isolation layers.
 *
 * @param render value of the `--render` setting
 */
export async function checkRenderer(render: 'on' | 'off' | 'without-namespaces'): Promise<CheckResult[]> {
  const check = 'rendering';
  if (render === 'off') return [{ check, status: 'ok', found: 'Rendering is off.' }];
  try {
    const { findChromium, ISOLATING_LAYERS, LAYER_NAMES, layerNames, missingIsolation, probeFence } =
      await loadRenderer();
    const kernel = inspectKernelIsolation();
    if ('missing' in kernel && render === 'on') {
      const missing = ISOLATING_LAYERS.map(layer => LAYER_NAMES[layer]).join(', ');
      const found = `The system can't isolate the browser (${kernel.missing}). Missing layers: ${missing}.`;
      return [{ check, status: 'fail', found, todo: ISOLATE_BROWSER }];
    }
    const chromium = await findChromium();
    const layers = await probeFence({ chromium, kernel }).finally(chromium.remove);
    const { active, missing } = layerNames(layers);
    const found = `The browser starts. Active layers: ${active.join(', ')}.${missing.length > 0 ? ` Missing layers: ${missing.join(', ')}.` : ''}`;
    if (missing.length === 0) return [{ check, status: 'ok', found }];
    if (missingIsolation(layers).length > 0)
      return [{ check, status: render === 'on' ? 'fail' : 'warn', found, todo: ISOLATE_BROWSER }];
    return [{ check, status: 'warn', found, todo: 'See "Render storefronts" in docs/guides/self-host.md.' }];
  } catch (error) {
    const todo =
      'Install the optional package @compliance/renderer and the system libraries that Chromium needs, or set COMPLIANCE_RENDER=off.';
    return [{ check, status: 'fail', found: `Pages can't be rendered: ${(error as Error).message}`, todo }];
  }
}
