import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** Makes a file of a PDF that was uploaded. `alt` is what it is known by again. Done twice, there are two files. */
export const pdfFileCreate = defineOperation<{
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
