/**
 * Serves lookups, assessments, scans, and certificates to AI agents over the Model Context Protocol (MCP).
 *
 * @module
 */
export { type LocalDeps, type PageScanOptions, performLocally } from './local/perform-locally.ts';
export {
  OperationError,
  type OperationFailure,
  type OperationId,
  type PerformOperation,
} from './operations.ts';
export { createMcpServer, type McpServerDeps } from './server.ts';
export { LOCAL_TOOLS, SERVICE_TOOLS } from './tools/index.ts';
export type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
