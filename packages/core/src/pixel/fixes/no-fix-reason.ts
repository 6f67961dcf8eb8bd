/**
 * Reason that a finding has no edit:
 *
 * - `needs_value`: the fix needs a value that isn't in the file, such as the correct ID
 * - `needs_decision`: several fixes are possible, with different results
 * - `needs_code`: the fix needs new code that depends on the store
 * - `outside_theme`: the problem must be fixed in an app, Tag Manager, or the Shopify admin
 * - `secret`: a secret must be revoked first, or the code contains personal data
 * - `liquid`: the edit would change code that contains Liquid
 * - `mixed`: the code also has other purposes, or other code depends on it
 * - `other_file`: the edit would also affect another file
 * - `too_long`: the changed lines are too long to display
 * - `new_finding`: after the edit, a scan would report another problem in the same code
 * - `unclear`: no edit of the code is certain to work
 */
export type NoFixReason =
  | 'needs_value'
  | 'needs_decision'
  | 'needs_code'
  | 'outside_theme'
  | 'secret'
  | 'liquid'
  | 'mixed'
  | 'other_file'
  | 'too_long'
  | 'new_finding'
  | 'unclear';
