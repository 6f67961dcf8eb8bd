import type { BlobFiles } from '@compliance/store';

const numbered = (number: number) => `${number}`.padStart(6, '0');

/** Name of a part of an upload. Each upload has its own files, so that two uploads can't be mixed. */
export const inputName = (id: string, upload: string, part: number) => `${id}/${upload}-in-${numbered(part)}`;

/** Name of the result of a part. */
export const resultName = (id: string, part: number) => `${id}/out-${numbered(part)}`;

/** Deletes the files of a job. */
export async function removeFiles(
  files: BlobFiles,
  { id, upload, parts }: { readonly id: string; readonly upload: string | null; readonly parts: number },
): Promise<void> {
  for (let part = 0; part < parts; part++) {
    await files.remove(resultName(id, part));
    if (upload !== null) await files.remove(inputName(id, upload, part));
  }
}
