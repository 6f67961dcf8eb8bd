const messages = {
  not_found: 'No link to a page of this type was found.',
  password: 'The store is password-protected.',
  redirected: 'The URL redirects to another site or to a page that was already fetched.',
  not_confirmed: "The page is on another host and doesn't name this site as an alternate, so it might be another shop.",
} as const;

/** Error for a page that isn't scanned, even though its URL could be valid. `reason` is a stable code. */
export class PageSkipped extends Error {
  override readonly name = 'PageSkipped';
  readonly reason: keyof typeof messages;

  constructor(reason: keyof typeof messages) {
    super(messages[reason]);
    this.reason = reason;
  }
}
