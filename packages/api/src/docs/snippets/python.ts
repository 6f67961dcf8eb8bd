import { argumentsOf, callPath, type ExampleCall, requiresKey, toLiteral } from './call.ts';

// JSON string literals are valid Python string literals.
const PYTHON = {
  quote: (text: string) => JSON.stringify(text),
  name: (field: string) => JSON.stringify(field),
  keywords: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
};

/**
 * Generates the Python program for a call. Uses the client library if it supports the operation, and the standard
 * library otherwise.
 */
export function python(call: ExampleCall): string {
  return call.operation.clientArguments === undefined ? withStandardLibrary(call) : withClient(call);
}

function withClient(call: ExampleCall): string {
  const { positional, named } = argumentsOf(call);
  const args = [
    ...positional.map(value => toLiteral(value, PYTHON)),
    ...Object.entries(named).map(([name, value]) => `${keyword(name)}=${toLiteral(value, PYTHON)}`),
  ];
  return `import json

import compliance

client = compliance.Client()  # COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
response = client.${call.operation.id}(${args.join(', ')})
print(json.dumps(response, indent=2))
`;
}

/** Appends an underscore to a field name that is a Python keyword, as the client library does. */
function keyword(name: string): string {
  return name === 'from' ? 'from_' : name;
}

function withStandardLibrary(call: ExampleCall): string {
  const headers = requiresKey(call) ? `{"Authorization": "Bearer " + os.environ["COMPLIANCE_API_KEY"]}` : '{}';
  return `import json
import os
import urllib.request

url = os.environ["COMPLIANCE_BASE_URL"] + ${PYTHON.quote(callPath(call))}
request = urllib.request.Request(url, headers=${headers})
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`.replace(', headers={}', '');
}
