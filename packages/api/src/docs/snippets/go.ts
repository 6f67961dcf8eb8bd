import { OPERATIONS } from '../../operations/operations.gen.ts';
import { argumentsOf, callPath, type ExampleCall, requiresKey } from './call.ts';

/**
 * Generates the Go program for a call. Uses the client library if it supports the operation, and the standard library
 * otherwise.
 */
export function go(call: ExampleCall): string {
  return call.operation.clientArguments === undefined ? withStandardLibrary(call) : withClient(call);
}

const CLIENT = 'compliance "github.com/portfolio-compliance/compliance-go"';

const INITIALISMS = /(?:^|_)(?:api|cpc|cpsc|dpi|gcc|gtin|hts|id|pdf|sha256|sku|svg|upc|url|zpl)(?![a-z])/g;

/** Converts a name to an exported Go identifier: `hts` becomes `HTS`, and `input_url` becomes `InputURL`. */
function exported(name: string): string {
  return pascal(name.replace(INITIALISMS, word => word.toUpperCase()));
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function withClient(call: ExampleCall): string {
  const { operation } = call;
  const { positional, named } = argumentsOf(call);
  const method = operation.id.split('.').map(exported).join('.');
  const takesRequest = operation.clientArguments === 'request';
  // Each request type is named after the last two parts of the ID of the first operation that uses the type.
  const { id: namesake } = OPERATIONS.find(({ request }) => request === operation.request) ?? operation;
  const type = namesake.split('.').slice(-2).map(pascal).join('');
  const args = [
    'context.Background()',
    ...positional.map(value => (typeof value === 'object' && takesRequest ? 'request' : goLiteral(value))),
    ...Object.entries(named).map(([name, value]) => option(name, value)),
  ];
  return program(
    ['context', 'encoding/json', 'log', 'os', '', CLIENT],
    `	client, err := compliance.New("") // COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
	if err != nil {
		log.Fatal(err)
	}
${takesRequest ? requestOf(type, positional.at(-1)) : ''}	response, err := client.${method}(${args.join(', ')})
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(response)
`,
  );
}

/**
 * Formats a client library option. Each `programs` keyword has its own option, such as `MetalsPrograms` for `metals`.
 * Array options are variadic, because untyped constants convert to the item type, but a `[]string` doesn't.
 */
function option(name: string, value: unknown): string {
  if (name === 'programs' && typeof value === 'string') return `compliance.${pascal(value)}Programs()`;
  const values = Array.isArray(value) ? value : [value];
  return `compliance.${exported(name)}(${values.map(each => goLiteral(each)).join(', ')})`;
}

function requestOf(type: string, request: unknown): string {
  return `	var request compliance.${type}Request
	if err := json.Unmarshal([]byte(\`${JSON.stringify(request, null, 2).replaceAll('`', '\\u0060').replaceAll('\n', '\n\t')}\`), &request); err != nil {
		log.Fatal(err)
	}
`;
}

/** Formats a value as a Go literal. Formats an array as `[]string`, or as `[]any` if it's inside an object. */
function goLiteral(value: unknown, item: 'string' | 'any' = 'string'): string {
  if (Array.isArray(value)) return `[]${item}{${value.map(each => goLiteral(each, item)).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'nil' : JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${goLiteral(field, 'any')}`);
  return `map[string]any{${fields.join(', ')}}`;
}

function withStandardLibrary(call: ExampleCall): string {
  const authorize = requiresKey(call)
    ? `	request.Header.Set("Authorization", "Bearer "+os.Getenv("COMPLIANCE_API_KEY"))\n`
    : '';
  return program(
    ['io', 'log', 'net/http', 'os'],
    `	request, err := http.NewRequest("GET", os.Getenv("COMPLIANCE_BASE_URL")+${JSON.stringify(callPath(call))}, nil)
	if err != nil {
		log.Fatal(err)
	}
${authorize}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
`,
  );
}

function program(imports: readonly string[], body: string): string {
  const lines = imports.map(name => (name === '' ? '' : `	${name === CLIENT ? name : `"${name}"`}`));
  return `package main

import (
${lines.join('\n')}
)

func main() {
${body}}
`;
}
