import type { LoaderFunctionArgs } from '@remix-run/node';
import { deskOf } from '../../src/certificates/desk.ts';
import { exportCertificates } from '../../src/certificates/export.ts';

export const loader = ({ context }: LoaderFunctionArgs) => exportCertificates(deskOf(context));
