/**
 * The statute that requires third-party testing by accepted laboratories. Without such testing, the certificate remains
 * a draft.
 */
export const THIRD_PARTY_TESTING = '15 U.S.C. 2063(a)(2)';
