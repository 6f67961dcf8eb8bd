const numbered = (number: number) => `${number}`.padStart(6, '0');

/** Filename of an upload part. Each upload has its own files so that parts from different uploads can't be mixed up. */
export const inputName = (id: string, upload: string, part: number) => `${id}/${upload}-in-${numbered(part)}`;

/** Filename of an upload chunk that hasn't been split into rows yet. */
export const uploadName = (id: string, upload: string, chunk: number) => `${id}/${upload}-up-${numbered(chunk)}`;

/** Filename of a part's result. */
export const resultName = (id: string, part: number) => `${id}/out-${numbered(part)}`;
