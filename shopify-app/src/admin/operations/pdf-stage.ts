import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** Asks for room to upload one PDF to: an address, the fields of the form to post there, and how the file is then called. */
export const pdfStage = defineOperation<{ readonly filename: string; readonly fileSize: string }>()(
  `#graphql
  mutation PdfStage($filename: String!, $fileSize: UnsignedInt64!) {
    stagedUploadsCreate(input: [{
      resource: FILE
      mimeType: "application/pdf"
      httpMethod: POST
      filename: $filename
      fileSize: $fileSize
    }]) {
      stagedTargets { url resourceUrl parameters { name value } }
      userErrors { message }
    }
  }`,
  z.object({
    stagedUploadsCreate: z
      .object({
        stagedTargets: z
          .array(
            z.object({
              url: z.string().nullable(),
              resourceUrl: z.string().nullable(),
              parameters: z.array(z.object({ name: z.string(), value: z.string() })),
            }),
          )
          .nullable(),
        userErrors: z.array(z.object({ message: z.string() })),
      })
      .nullable(),
  }),
);
