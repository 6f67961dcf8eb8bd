import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import { bullets, markdown, type ReferencePage, type ReferenceSection } from './page.ts';

const URI = 'compliance://errors';
const codes = Object.keys(ERRORS) as ErrorCode[];

const pages = new Map<string, Omit<ReferencePage, 'known_through'>>(codes.map(code => [code, errorPage(code)]));

/** The error codes that tools and the API return. */
export const errorCodes: ReferenceSection = {
  name: 'error-codes',
  title: 'Error codes',
  description: 'Tool and API error codes. For details about a code, read compliance://errors/{id}.',
  uri: URI,
  index: () => markdown('# Error codes', bullets(codes.map(code => `\`${code}\`: ${ERRORS[code].message}`))),
  ids: () => pages.keys(),
  // The pages describe this version of the project, so they're always current.
  page(id, { today }) {
    const page = pages.get(id);
    return page && { ...page, known_through: today };
  },
};

function errorPage(code: ErrorCode): Omit<ReferencePage, 'known_through'> {
  const { status, message, cause, remedy } = ERRORS[code];
  return {
    kind: 'error_code',
    id: code,
    title: `Error ${code}`,
    uri: `${URI}/${code}`,
    sources: [`${URI}/${code}`],
    markdown: markdown(
      `# Error \`${code}\``,
      `HTTP ${status}: ${message}`,
      `## What happened\n\n${cause}`,
      `## How to fix it\n\n${remedy}`,
    ),
  };
}
