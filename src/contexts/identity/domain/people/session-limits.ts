/** A session that nobody used for so long has ended (OWASP ASVS 5, 7.3.1). */
export const IDLE_MINUTES = 60;
/** A session ends then, however much it is used (OWASP ASVS 5, 7.3.2). */
export const LIFETIME_HOURS = 12;
/** What a session is to enrol or to sign waits no longer: the secret of an app, the challenge of a passkey. */
export const CEREMONY_MINUTES = 10;
/** Between password and second factor. */
export const SIGN_IN_MINUTES = 15;
