import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Reserves an upload target for one PDF. The result contains the upload URL, the form fields to post, and the URL of
 * the uploaded file.
 */
export const pdfStage = defineAdminOperation<{ readonly filename: string; readonly fileSize: string }>()(
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
