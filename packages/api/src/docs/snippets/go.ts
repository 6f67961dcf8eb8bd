import { addressOf, argumentsOf, type Call, keyed } from './call.ts';

/** The call in Go: by the client where it has the operation, else by the standard library. */
export function go(call: Call): string {
  return call.operation.clientsTake === undefined ? byStandardLibrary(call) : byClient(call);
}

const CLIENT = 'compliance "github.com/portfolio-compliance/compliance-go"';

const INITIALISMS = ['hts', 'gcc'];

/** `hts` is `HTS`, `as_of` is `AsOf`. */
function exported(name: string): string {
  if (INITIALISMS.includes(name)) return name.toUpperCase();
  return pascal(name);
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function byClient(call: Call): string {
  const { operation } = call;
  const { placed, named } = argumentsOf(call);
  const method = operation.id.split('.').map(exported).join('.');
  const whole = operation.clientsTake === 'request';
  // The types of requests are named after the last two words of the operation.
  const type = operation.id.split('.').slice(-2).map(pascal).join('');
  const given = [
    'context.Background()',
    ...placed.map(value => (whole ? 'request' : texts(value))),
    ...Object.entries(named).map(([name, value]) => `compliance.${exported(name)}(${texts(value)})`),
  ];
  return program(
    ['context', 'encoding/json', 'log', 'os', '', CLIENT],
    `	client, err := compliance.New("") // COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
	if err != nil {
		log.Fatal(err)
	}
${whole ? requestOf(type, placed[0]) : ''}	answer, err := client.${method}(${given.join(', ')})
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(answer)
`,
  );
}

function requestOf(type: string, request: unknown): string {
  return `	var request compliance.${type}Request
	if err := json.Unmarshal([]byte(\`${JSON.stringify(request, null, 2).replaceAll('`', '\\u0060').replaceAll('\n', '\n\t')}\`), &request); err != nil {
		log.Fatal(err)
	}
`;
}

/** A text, or a list of texts. */
function texts(value: unknown): string {
  if (Array.isArray(value)) return `[]string{${value.map(item => JSON.stringify(item)).join(', ')}}`;
  return JSON.stringify(value);
}

function byStandardLibrary(call: Call): string {
  const authorize = keyed(call)
    ? `	request.Header.Set("Authorization", "Bearer "+os.Getenv("COMPLIANCE_API_KEY"))\n`
    : '';
  return program(
    ['io', 'log', 'net/http', 'os'],
    `	request, err := http.NewRequest("GET", os.Getenv("COMPLIANCE_BASE_URL")+${JSON.stringify(addressOf(call))}, nil)
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
