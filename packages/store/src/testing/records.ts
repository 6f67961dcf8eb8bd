/** Record of a complete certificate, reduced to the parts that the store reads. */
export const COMPLETE = '{"request":{"attestation":{}},"completeness":{"status":"complete"}}';

/** Record of a certificate that is attested but incomplete. */
export const INCOMPLETE = COMPLETE.replace('"complete"', '"incomplete"');
