import { callPath, type ExampleCall, requiresKey } from './call.ts';

/** Generates the curl command for a call. The command reads the base URL and the API key from environment variables. */
export function curl(call: ExampleCall): string {
  const { operation, request } = call;
  const lines = [
    `curl -sS "$COMPLIANCE_BASE_URL${callPath(call)}"`,
    ...(requiresKey(call) ? ['-H "Authorization: Bearer $COMPLIANCE_API_KEY"'] : []),
    ...(operation.method === 'post' ? [`-H 'Content-Type: application/json'`, `-d ${quoted(json(request))}`] : []),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** Serializes the request. Short requests are formatted on one line. */
function json(request: object): string {
  const line = JSON.stringify(request);
  return line.length < 80 ? line : JSON.stringify(request, null, 2);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
