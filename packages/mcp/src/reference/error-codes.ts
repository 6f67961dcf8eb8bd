import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import { bullets, markdown, type ReferencePage, type ReferenceSection } from './page.ts';

const URI = 'compliance://errors';
const codes = Object.keys(ERRORS) as ErrorCode[];

const pages: ReadonlyMap<string, ReferencePage> = new Map(codes.map(code => [code, errorPage(code)]));

/** The error codes of tools and of the API. */
export const errorCodes: ReferenceSection = {
  name: 'error-codes',
  title: 'Error codes',
  description: 'Tool and API error codes. Read a code at compliance://errors/{id}.',
  uri: URI,
  index: () => markdown('# Error codes', bullets(codes.map(code => `\`${code}\`: ${ERRORS[code].message}`))),
  ids: () => pages.keys(),
  page: id => pages.get(id),
};

function errorPage(code: ErrorCode): ReferencePage {
  const { status, message, cause, remedy } = ERRORS[code];
  return {
    kind: 'error_code',
    id: code,
    title: `Error ${code}`,
    uri: `${URI}/${code}`,
    markdown: markdown(
      `# Error \`${code}\``,
      `HTTP ${status}: ${message}`,
      `## What happened\n\n${cause}`,
      `## How to fix it\n\n${remedy}`,
    ),
  };
}
