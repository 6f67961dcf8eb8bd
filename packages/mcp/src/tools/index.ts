import { assessTool } from './assess.ts';
import { certifyTool, localCertifyTool } from './certify.ts';
import { changesTool } from './changes.ts';
import { dueTool } from './due.ts';
import { efilingTool } from './efiling.ts';
import { explainTool } from './explain.ts';
import { labelTool } from './label.ts';
import { listsTool } from './lists.ts';
import { lookupTool } from './lookup.ts';
import { readRegistryTool } from './read-registry.ts';
import { localScanTool, scanTool } from './scan.ts';
import type { Tool } from './tool.ts';
import { trackingLabelTool } from './tracking-label.ts';
import { verifyTool } from './verify.ts';

const shared = [lookupTool, assessTool, changesTool, listsTool];

/** Tools for a server that performs operations through the API. */
export const SERVICE_TOOLS: readonly Tool[] = [
  ...shared,
  scanTool,
  certifyTool,
  efilingTool,
  readRegistryTool,
  labelTool,
  trackingLabelTool,
  dueTool,
  verifyTool,
  explainTool,
];

/** Tools for a server that performs operations in its own process. */
export const LOCAL_TOOLS: readonly Tool[] = [
  ...shared,
  localScanTool,
  localCertifyTool,
  efilingTool,
  readRegistryTool,
  explainTool,
];
