import { oneLine } from '#shared/kernel/text.js';
import type { Mail } from '../../contract/outgoing-mails.js';

/** About the most mails that can be unsubscribed and wait at a time. Others do not count. */
export const MAX_WAITING = { ofAll: 10_000, ofOrganization: 1_000 } as const;
/**
 * Mails to named addresses within 24 hours: of one organization, to one address from one organization, and to one address from all. The
 * last is wider, so one organization cannot keep another from inviting somebody.
 */
export const NAMED_A_DAY = { organization: 50, address: 3, everywhere: 10 } as const;
const MAX_SUBJECT_LENGTH = 200;
/** One address that no header can take for more; `readEmail` has checked it where it was typed. */
const ONE_ADDRESS = /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+$/u;
/** Characters of text, HTML and attachment together. */
const MAX_LENGTH = 262_144;

/**
 * The mail as it is stored, so that nothing in it can end a header or name a second recipient.
 * @throws RangeError for what no caller may send
 */
export function storedMail({ subject, body, html, unsubscribeUrl, attachment, ...mail }: Mail): Mail {
  const { recipient } = mail;
  if (!ONE_ADDRESS.test(recipient)) throw new RangeError('An email must have exactly one recipient address.');
  if (body.length + (html?.length ?? 0) + (attachment?.content.length ?? 0) > MAX_LENGTH)
    throw new RangeError('The email is too long.');
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[!-;=?-~]{1,2000}$/.test(unsubscribeUrl))
    throw new RangeError('The address of the unsubscribe link is not a URL.');
  const line = Array.from(oneLine(subject));
  const shown =
    line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH - 1).join('')}…` : line.join('');
  return { recipient, subject: shown, body, html, unsubscribeUrl, attachment };
}
