/**
 * PDF standards that a file can conform to. PDF/A-1b is only for tests, because a PDF/A-1b file can't have attachments.
 */
export type Conformance = 'PDF/A-3u' | 'PDF/A-1b';
