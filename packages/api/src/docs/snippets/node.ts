import { argumentsOf, callPath, type ExampleCall, requiresKey, toLiteral } from './call.ts';

const JAVASCRIPT = {
  quote: (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  name: (field: string) => (/^[a-z_]\w*$/i.test(field) ? field : JSON.stringify(field)),
  keywords: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
};

/**
 * Generates the Node.js program for a call. Uses the client library if it supports the operation, and `fetch`
 * otherwise.
 */
export function node(call: ExampleCall): string {
  return call.operation.clientArguments === undefined ? withFetch(call) : withClient(call);
}

function withClient(call: ExampleCall): string {
  // Client methods for GET operations take one object with all fields. Other methods take positional arguments first.
  const { positional, named } =
    call.operation.method === 'get' ? { positional: [], named: call.request } : argumentsOf(call);
  const args = [...positional, ...(Object.keys(named).length > 0 ? [named] : [])].map(value =>
    toLiteral(value, JAVASCRIPT),
  );
  return `import { Compliance } from '@compliance/client';

const client = new Compliance(); // COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
const response = await client.${call.operation.id}(${args.join(', ')});
console.log(JSON.stringify(response, null, 2));
`;
}

function withFetch(call: ExampleCall): string {
  const headers = requiresKey(call)
    ? `, {
  headers: { Authorization: \`Bearer \${process.env.COMPLIANCE_API_KEY}\` },
}`
    : '';
  return `const base = process.env.COMPLIANCE_BASE_URL;
const response = await fetch(base + ${JAVASCRIPT.quote(callPath(call))}${headers});
console.log(JSON.stringify(await response.json(), null, 2));
`;
}
