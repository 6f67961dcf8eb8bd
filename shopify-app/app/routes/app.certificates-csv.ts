import type { LoaderFunctionArgs } from '@remix-run/node';
import { issuingContext } from '../../src/certificates/certificate-context.ts';
import { exportCertificates } from '../../src/certificates/export.ts';

export const loader = ({ context }: LoaderFunctionArgs) => exportCertificates(issuingContext(context));
