import { certificateVerification, verifyRequest } from '@compliance/contract/certificate';
import type { z } from 'zod';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, READ_ONLY } from './tool.ts';

type Verification = z.output<typeof certificateVerification>;

const COMPARISONS: Record<NonNullable<Verification['comparison']>, string> = {
  unchanged: "The file hasn't changed since the service issued it.",
  unchanged_marked: "The file is unchanged. It has the service's current status mark.",
  changed: "The file differs from the issued PDF. Don't rely on it.",
};

const ORIGIN = sourcesOf(['ecfr-1110']);

/** Returns the status of an issued certificate and, given a PDF's hash, checks whether the PDF is unchanged. */
export const verifyTool = defineTool({
  name: 'verify',
  title: 'Verify a certificate',
  description:
    'Returns the status of a certificate that this service issued, and checks whether a PDF is unchanged. Compute the file’s SHA-256 hash, ' +
    'and pass it as `sha256`. The certificate ID is printed on the certificate. The service doesn’t check whether the statements on the ' +
    'certificate are true.',
  input: verifyRequest,
  output: certificateVerification.extend(provenance),
  annotations: READ_ONLY,
  performsOperation: true,
  async run({ id, sha256 }, { perform }) {
    const request = sha256 === undefined ? { id } : { id, sha256 };
    const data = (await perform('entry.gcc.verify', request)) as Verification;
    const { gcc_id, certificate_type, status, issued_at, superseded_by, void_reason, comparison } = data;
    return {
      data: { ...data, ...ORIGIN },
      text: [
        `The service issued ${certificate_type} ${gcc_id} at ${issued_at}. Its status is ${status}.`,
        ...(superseded_by === null ? [] : [`Certificate ${superseded_by} supersedes it.`]),
        ...(void_reason === null ? [] : [`Reason: ${void_reason}`]),
        comparison === null ? 'No hash was specified, so no file was compared.' : COMPARISONS[comparison],
        ...provenanceLines(ORIGIN),
      ].join('\n'),
    };
  },
});
