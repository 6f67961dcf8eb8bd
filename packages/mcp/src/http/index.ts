import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type McpServerDeps } from '../server.ts';

/**
 * Returns the response that rejects a request for another host or from another website, or undefined for all other
 * requests. Browsers always send `Origin` with a POST request, so no website can use a key or a local server through a
 * visitor's browser.
 *
 * @param hostname public hostname of the service
 */
export function rejectForeignRequest(request: Request, hostname: string): Response | undefined {
  const allowed = [hostname, ...localhostAllowedHostnames()];
  // In runtimes that don't provide the `Host` header, use the host from the URL.
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (validateHostHeader(host, allowed).ok) return originValidationResponse(request, allowed);
  const error = { code: -32000, message: "The service doesn't accept requests for this hostname." };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 403 });
}

/**
 * Handles one MCP request over HTTP with a new server instance. No state is kept between requests, so any process can
 * handle any request, and no session can be hijacked.
 *
 * @param message the parsed JSON body
 */
export async function handleMcpRequest(request: Request, message: unknown, deps: McpServerDeps): Promise<Response> {
  const options = { parsedBody: message };
  const create = () => createMcpServer(deps);
  if (!(await isLegacyRequest(request, message))) {
    // The available tools, resources, and prompts change only with a new release or data set, so disable subscriptions.
    return await createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, options);
  }
  // The response isn't streamed, so headers, such as `RateLimit`, can still be added to it.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = create();
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}

/** Returns the name of the tool that a message calls, or null if the message isn't a tool call. */
export function calledTool(message: unknown): string | null {
  if (typeof message !== 'object' || message === null) return null;
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : null;
}
