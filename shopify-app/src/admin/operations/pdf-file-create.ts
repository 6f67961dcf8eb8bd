import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Creates a file from an uploaded PDF. Later runs recognize the file by its `alt` text. Running the mutation twice
 * creates two files.
 */
export const pdfFileCreate = defineAdminOperation<{
  readonly originalSource: string;
  readonly filename: string;
  readonly alt: string;
}>()(
  `#graphql
  mutation PdfFileCreate($originalSource: String!, $filename: String!, $alt: String!) {
    fileCreate(files: [{ contentType: FILE, originalSource: $originalSource, filename: $filename, alt: $alt }]) {
      files { id }
      userErrors { message }
    }
  }`,
  z.object({
    fileCreate: z
      .object({
        files: z.array(z.object({ id: z.string() })).nullable(),
        userErrors: z.array(z.object({ message: z.string() })),
      })
      .nullable(),
  }),
);
