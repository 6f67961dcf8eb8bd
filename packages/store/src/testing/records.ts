/** Complete certificate record, reduced to the fields that the store reads. */
export const COMPLETE = '{"request":{"attestation":{}},"completeness":{"status":"complete"}}';

/** Certificate record that is attested but incomplete. */
export const INCOMPLETE = COMPLETE.replace('"complete"', '"incomplete"');
