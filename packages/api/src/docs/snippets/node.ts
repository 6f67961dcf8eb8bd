import { addressOf, argumentsOf, type Call, keyed, literal } from './call.ts';

const SCRIPT = {
  quote: (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  name: (field: string) => (/^[a-z_]\w*$/i.test(field) ? field : JSON.stringify(field)),
  words: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
};

/** The call in Node: by the client where it has the operation, else by `fetch`. */
export function node(call: Call): string {
  return call.operation.clientsTake === undefined ? byFetch(call) : byClient(call);
}

function byClient(call: Call): string {
  // What is only read has its fields in one object; what is asked for by a body has its subject before them.
  const { placed, named } = call.operation.method === 'get' ? { placed: [], named: call.request } : argumentsOf(call);
  const given = [...placed, ...(Object.keys(named).length > 0 ? [named] : [])].map(value => literal(value, SCRIPT));
  return `import { Compliance } from '@compliance/client';

const client = new Compliance(); // COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
const answer = await client.${call.operation.id}(${given.join(', ')});
console.log(JSON.stringify(answer, null, 2));
`;
}

function byFetch(call: Call): string {
  const headers = keyed(call)
    ? `, {
  headers: { Authorization: \`Bearer \${process.env.COMPLIANCE_API_KEY}\` },
}`
    : '';
  return `const base = process.env.COMPLIANCE_BASE_URL;
const response = await fetch(base + ${SCRIPT.quote(addressOf(call))}${headers});
console.log(JSON.stringify(await response.json(), null, 2));
`;
}
