import { oneLine } from '#shared/kernel/text.js';
import type { Mail } from '#contexts/identity/contract/outgoing-mails.js';
import { type RuleKind, kindsInWords } from '../domain/notification-rule.js';

export const CONFIRMED_WITHIN_DAYS = 7;

/**
 * The address may belong to a stranger. The email contains no user input except the organization's name, which the operator
 * has approved.
 */
export function confirmationMail(
  email: string,
  organizationName: string,
  kinds: readonly RuleKind[],
  link: string,
): Mail {
  const name = oneLine(organizationName);
  return {
    recipient: email,
    subject: `Confirm emails from ${name}`,
    body: `${name} wants to send emails to this address:
${kindsInWords(kinds)}.

Confirm here within ${CONFIRMED_WITHIN_DAYS} days. Every email has an unsubscribe link.
${link}

If you did not expect this email, ignore it. Nothing is sent until you confirm.`,
  };
}
