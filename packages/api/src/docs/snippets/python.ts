import { addressOf, argumentsOf, type Call, keyed, literal } from './call.ts';

// JSON writes texts as Python does.
const PYTHON = {
  quote: (text: string) => JSON.stringify(text),
  name: (field: string) => JSON.stringify(field),
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
};

/** The call in Python: by the client where it has the operation, else by the standard library. */
export function python(call: Call): string {
  return call.operation.clientsTake === undefined ? byStandardLibrary(call) : byClient(call);
}

function byClient(call: Call): string {
  const { placed, named } = argumentsOf(call);
  const given = [
    ...placed.map(value => literal(value, PYTHON)),
    ...Object.entries(named).map(([name, value]) => `${name}=${literal(value, PYTHON)}`),
  ];
  return `import json

import compliance

client = compliance.Client()  # COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
answer = client.${call.operation.id}(${given.join(', ')})
print(json.dumps(answer, indent=2))
`;
}

function byStandardLibrary(call: Call): string {
  const headers = keyed(call) ? `{"Authorization": "Bearer " + os.environ["COMPLIANCE_API_KEY"]}` : '{}';
  return `import json
import os
import urllib.request

address = os.environ["COMPLIANCE_BASE_URL"] + ${PYTHON.quote(addressOf(call))}
request = urllib.request.Request(address, headers=${headers})
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`.replace(', headers={}', '');
}
