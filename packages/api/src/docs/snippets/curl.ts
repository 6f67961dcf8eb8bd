import { addressOf, type Call, keyed } from './call.ts';

/** The call as a line for a shell. The base address and the key are taken from the environment. */
export function curl(call: Call): string {
  const { operation, request } = call;
  const lines = [
    `curl -sS "$COMPLIANCE_BASE_URL${addressOf(call)}"`,
    ...(keyed(call) ? ['-H "Authorization: Bearer $COMPLIANCE_API_KEY"'] : []),
    ...(operation.method === 'post' ? [`-H 'Content-Type: application/json'`, `-d ${quoted(json(request))}`] : []),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** On one line while that is short. */
function json(request: object): string {
  const line = JSON.stringify(request);
  return line.length < 80 ? line : JSON.stringify(request, null, 2);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
