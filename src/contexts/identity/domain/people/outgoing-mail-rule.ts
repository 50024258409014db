import { collapseToOneLine } from '#shared/kernel/text.js';
import type { Mail } from '../../contract/outgoing-mails.js';

/** Approximate limit of waiting mails with an unsubscribe URL. */
export const MAX_WAITING_MAILS = { ofAll: 10_000, ofOrganization: 1_000 } as const;
/**
 * Mails a day from one organization (`organization`), from one organization to one address (`address`), and from all
 * organizations to one address (`everywhere`). One organization alone cannot reach `everywhere`, so it cannot block the
 * mails of others.
 */
export const MAX_DAILY_MAILS_TO_TYPED_ADDRESSES = { organization: 50, address: 3, everywhere: 10 } as const;
const MAX_SUBJECT_LENGTH = 200;
const SINGLE_EMAIL_ADDRESS = /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+$/u;
const MAX_MAIL_LENGTH = 262_144;

/** No field may end a header or add a recipient. @throws RangeError */
export function prepareMailForStorage({
  subject,
  body,
  html,
  unsubscribeUrl,
  attachment,
  ...mail
}: Mail): Mail {
  const { recipient } = mail;
  if (!SINGLE_EMAIL_ADDRESS.test(recipient))
    throw new RangeError('An email must have exactly one recipient address.');
  if (body.length + (html?.length ?? 0) + (attachment?.content.length ?? 0) > MAX_MAIL_LENGTH)
    throw new RangeError('The email is too long.');
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[!-;=?-~]{1,2000}$/.test(unsubscribeUrl))
    throw new RangeError('The address of the unsubscribe link is not a URL.');
  const line = Array.from(collapseToOneLine(subject));
  const shown =
    line.length > MAX_SUBJECT_LENGTH ? `${line.slice(0, MAX_SUBJECT_LENGTH - 1).join('')}…` : line.join('');
  return { recipient, subject: shown, body, html, unsubscribeUrl, attachment };
}
