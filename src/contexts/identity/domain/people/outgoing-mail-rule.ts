import { joinLines } from '#shared/kernel/text.js';
import type { Mail } from '../../contract/outgoing-mails.js';

/** Approximate maximum of waiting mails with an unsubscribe URL. Other mails are not limited. */
export const MAX_WAITING = { ofAll: 10_000, ofOrganization: 1_000 } as const;
/**
 * Limits within 24 hours for mails to named addresses: per organization, per address from one organization, and per address from all
 * organizations. The last limit is larger, so that one organization cannot block another's invitations.
 */
export const NAMED_A_DAY = { organization: 50, address: 3, everywhere: 10 } as const;
const MAX_SUBJECT_LENGTH = 200;
/** Exactly one address that is safe in a header. `parseEmail` validates typed addresses earlier. */
const ONE_ADDRESS = /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+$/u;
/** Total characters of text, HTML and attachment. */
const MAX_LENGTH = 262_144;

/**
 * Prepares a mail for storage, so that no field can end a header or add a recipient.
 * @throws RangeError if the recipient, the length or the unsubscribe URL is not valid
 */
export function storedMail({ subject, body, html, unsubscribeUrl, attachment, ...mail }: Mail): Mail {
  const { recipient } = mail;
  if (!ONE_ADDRESS.test(recipient)) throw new RangeError('An email must have exactly one recipient address.');
  if (body.length + (html?.length ?? 0) + (attachment?.content.length ?? 0) > MAX_LENGTH)
    throw new RangeError('The email is too long.');
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[!-;=?-~]{1,2000}$/.test(unsubscribeUrl))
    throw new RangeError('The address of the unsubscribe link is not a URL.');
  const line = Array.from(joinLines(subject));
  const shown =
    line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH - 1).join('')}…` : line.join('');
  return { recipient, subject: shown, body, html, unsubscribeUrl, attachment };
}
