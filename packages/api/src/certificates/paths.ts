/** Certificate page route. The certificate ID is a UUID. */
export const CERTIFICATE_PATH = '/gcc/:id{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}}';
